#!/usr/bin/env python3
"""`watch --events` against receivers that drop data, each in a network namespace of its own.

    local_drop_test.py PROGRAM

Two pairs of namespaces have the same addresses and ports: each drop has the namespace of its receiver, each retransmission that of its
sender, and the retransmission is explained by the drop of its own pair.
"""
import contextlib
import json
import os
import subprocess
import sys
import threading

from cable import RECEIVER, SENDER, connected, skip

SENDER_PORT, RECEIVER_PORT, CLOSED_PORT = 40_000, 5_000, 1

# Drops what carries data, until a line comes: a TCP header with timestamps has 32 bytes.
RECEIVE = f"""
import ctypes, socket, struct, sys
listener = socket.create_server(("{RECEIVER}", {RECEIVER_PORT}))
print("listens", flush=True)
connection = listener.accept()[0]
steps = [(0x80, 0, 0, 0), (0x25, 0, 1, 32), (6, 0, 0, 0), (6, 0, 0, 0xffffffff)]
code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in steps))
connection.setsockopt(socket.SOL_SOCKET, 26, struct.pack("HL", len(steps), ctypes.addressof(code)))
print("drops", flush=True)
sys.stdin.readline()
connection.setsockopt(socket.SOL_SOCKET, 27, 0)
print(len(connection.recv(100, socket.MSG_WAITALL)), flush=True)
"""
SEND = f"""
import socket, sys
connection = socket.create_connection(("{RECEIVER}", {RECEIVER_PORT}), source_address=("{SENDER}", {SENDER_PORT}))
sys.stdin.readline()
connection.send(bytes(100))
sys.stdin.readline()
"""
KNOCK = f"""
import socket, sys
while True:
    try:
        socket.create_connection(("{RECEIVER}", {CLOSED_PORT}))
    except ConnectionRefusedError:
        pass
    if sys.stdin.readline() == "":
        break
"""


class Pair:
    """A sender and a receiver with a cable between them."""

    def __init__(self, ended):
        self.sender, self.receiver = connected(ended)

    def connect(self, ended):
        self.receiving = self.receiver.python(ended, RECEIVE)
        assert self.receiving.stdout.readline() == "listens\n"
        self.sending = self.sender.python(ended, SEND)
        assert self.receiving.stdout.readline() == "drops\n"

    @staticmethod
    def next(process):
        process.stdin.write("\n")
        process.stdin.flush()


def wait_until_seen(log, pair, ended):
    """The log reports SYNs to a closed port as dropped: the first that it shows means that it watches."""
    knocking = pair.sender.python(ended, KNOCK)
    seen = threading.Event()

    def knock():
        while not seen.wait(0.05):
            Pair.next(knocking)
        knocking.stdin.close()

    knocker = threading.Thread(target=knock)
    knocker.start()
    try:
        for text in log:
            line = json.loads(text)
            if line["event"] == "dropped" and line["destination"] == f"{RECEIVER}:{CLOSED_PORT}":
                assert line["reason"] == "NO_SOCKET", line
                return
    finally:
        seen.set()
        knocker.join()
    sys.exit("the log ended")


def check(pair, drop, retransmission, has_lost):
    """`has_lost`: the log has reported that it misses events, of whatever else this host drops."""
    assert drop["source"] == f"{SENDER}:{SENDER_PORT}", drop
    assert drop["sequence_length"] == 100, drop
    assert drop["network_namespace"] == pair.receiver.inode, drop
    assert retransmission["local"] == f"{SENDER}:{SENDER_PORT}", retransmission
    assert retransmission["sequence"] == drop["sequence"], (drop, retransmission)
    assert retransmission["reason"] == "SOCKET_FILTER", retransmission
    before = retransmission["dropped_before"]
    assert before["sequence_length"] == retransmission["sequence_length"] == 100, retransmission
    assert before["network_namespace"] == pair.receiver.inode, retransmission
    assert before["complete_for_s"] > 0 or has_lost, retransmission


def main():
    program = sys.argv[1]
    if os.geteuid() != 0:
        skip("only root may trace")
    doctor = subprocess.run([program, "doctor", "--json"], stdout=subprocess.PIPE, check=False)
    drops = next(one for one in json.loads(doctor.stdout)["checks"] if one["name"] == "drop_tracing")
    if drops["state"] != "works":
        skip(drops["text"])
    with contextlib.ExitStack() as ended:
        pairs = [Pair(ended), Pair(ended)]
        command = [program, "watch", "--events", "--json-stream", "--", f"src = {SENDER} and dst = {RECEIVER}"]
        watching = ended.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        ended.callback(watching.terminate)
        wait_until_seen(watching.stdout, pairs[0], ended)
        for pair in pairs:
            pair.connect(ended)
            Pair.next(pair.sending)
        receiver_of = {pair.sender.inode: pair.receiver.inode for pair in pairs}
        found = {}
        log = []
        has_lost = False
        for text in watching.stdout:
            log.append(text)
            line = json.loads(text)
            has_lost = has_lost or line["event"] == "lost"
            if line["event"] == "dropped" and line["reason"] == "SOCKET_FILTER":
                found.setdefault(("drop", line["network_namespace"]), line)
            elif line["event"] == "retransmitted" and "reason" in line:
                found.setdefault(("retransmission", line["network_namespace"]), line)
            elif line["event"] == "retransmitted" and ("drop", receiver_of.get(line["network_namespace"])) in found:
                # Before the first drop it may be: a processor that stands still for as long as the timeout retransmits first.
                sys.exit("".join(log) + "The last retransmission is of data that was dropped, and is not explained.")
            wanted = [("drop", pair.receiver.inode) for pair in pairs] + [("retransmission", pair.sender.inode) for pair in pairs]
            if all(key in found for key in wanted):
                break
        for pair in pairs:
            Pair.next(pair.receiving)
            assert pair.receiving.stdout.readline() == "100\n"
            check(pair, found["drop", pair.receiver.inode], found["retransmission", pair.sender.inode], has_lost)
            Pair.next(pair.sending)
        for pair in pairs:
            for host in (pair.sender, pair.receiver):
                host.holder.stdin.close()
    print("Both retransmissions are explained, each by the drop of its own namespace.")


if __name__ == "__main__":
    main()
