#!/usr/bin/env python3
"""`watch --events` against a load of short connections that knows how many there were.

    connection_log_test.py PROGRAM

Runs in a network namespace of its own. The kernel reports connections of all others, too: those of this test have addresses of their
own. What the log leaves out must be in its count of lost events.
"""
import collections
import json
import os
import socket
import subprocess
import sys
import threading

CONNECTIONS = 20_000
ADDRESS = "127.77.0.9"
SKIPPED = 77
MISSING_RIGHT = 3


def skip(reason):
    print("skipped:", reason)
    sys.exit(SKIPPED)


def enter_namespaces():
    """With a tracefs of its own: it is not mounted everywhere."""
    if os.environ.get("TCPSCOPE_APART"):
        return
    if os.geteuid() != 0:
        skip("only root may trace")
    apart = ["unshare", "--net", "--mount", "sh", "-c"]
    ready = "ip link set lo up && (mountpoint -q /sys/kernel/tracing || mount -t tracefs none /sys/kernel/tracing)"
    if subprocess.run(apart + [ready], check=False).returncode != 0:
        skip("no network namespace or no tracefs")
    done = subprocess.run(apart + [ready + ' && exec "$@"', "sh", sys.executable, "-B", *sys.argv],
                          env={**os.environ, "TCPSCOPE_APART": "1"}, check=False)
    sys.exit(done.returncode)


class Listener:
    """Closes each connection that it accepts."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.bind((ADDRESS, 0))
        self.socket.listen(1024)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            self.socket.accept()[0].close()


def open_and_close(port):
    with socket.socket() as client:
        client.connect((ADDRESS, port))


def lines_until_refused(log, port):
    """The log's lines about the listener, until the attempt that is refused."""
    events = collections.Counter()
    refused = []
    lost = 0
    for text in log:
        line = json.loads(text)
        if line["event"] == "lost":
            lost += line["count"]
        elif line.get("remote") == f"{ADDRESS}:{port}":
            events[line["event"]] += 1
            if line["event"] == "opened":
                events["with duration"] += "duration_s" in line
        elif line.get("remote") == f"{ADDRESS}:1" and line["event"] == "opening_failed":
            refused.append(line)
            break
    return events, lost, refused


def main():
    enter_namespaces()
    listener = Listener()
    command = [sys.argv[1], "watch", "--events", "--json-stream", "--", f"dst = {ADDRESS}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as log:
        # The first connection that the log shows: it listens.
        stop = threading.Event()

        def knock():
            while not stop.wait(0.05):
                open_and_close(early.port)

        early = Listener()
        threading.Thread(target=knock, daemon=True).start()
        line = log.stdout.readline()
        stop.set()
        if not line and log.wait() == MISSING_RIGHT:
            skip("this machine does not trace")
        first = json.loads(line)
        assert first["schema"] == "tcpscope.event", first

        def load():
            for _ in range(CONNECTIONS):
                open_and_close(listener.port)
            # Nothing listens there: the line that ends the test, again until it has come.
            while not ended.wait(0.05):
                try:
                    open_and_close(1)
                except ConnectionRefusedError:
                    pass

        ended = threading.Event()
        threading.Thread(target=load, daemon=True).start()
        events, lost, refused = lines_until_refused(log.stdout, listener.port)
        ended.set()
        log.terminate()
        log.stdout.read()
    print(dict(events), f"{lost} events lost")
    assert events["opened"] + lost >= CONNECTIONS, events
    assert events["opened"] <= CONNECTIONS, events
    assert events["with duration"] + lost >= CONNECTIONS, events
    assert refused and refused[0]["thread"]["tid"] > 0, refused


if __name__ == "__main__":
    main()
