#!/usr/bin/env python3
"""Makes connections that do not open, hang, stall or chatter, several of each kind at once, and asks tcpscope about them.

    situations.py TCPSCOPE_CLI [EACH]

Two network namespaces of its own with a virtual Ethernet between them; 77 where this machine gives none. Of each kind there
are EACH connections (8 by default). Prints how many are named right: live, in a recording of this end, and in captures of both;
and whether `problems` lists those kinds that are problems, and no other. Ends with 1 where fewer than 98 % are right in any
of the four, a different name is confident (0.8 or more), or the list is another one.
"""
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time

import own_namespace

PEER = "10.9.0.9"
# Addresses of this end; the peer has no route back to the last two, to the second of them after a second.
HERE, UNHEARD, CUT_OFF = "10.9.0.1", "10.9.0.2", "10.9.0.3"
SETTLED_S = 6
# A connection that one end has closed is a problem after a minute.
LEFT_OPEN_S = 65
OBSERVED_S = 6
CONFIDENT = 0.8


def set_options(connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


# What the peer does with a connection, by port.

def sink(connection):
    while connection.recv(1 << 16):
        pass


def stop_reading(connection):
    time.sleep(1000)


def read_slowly(connection):
    while connection.recv(20_000):
        time.sleep(0.02)


def respond(connection, wait_s):
    while connection.recv(1 << 16):
        time.sleep(wait_s)
        connection.sendall(b"a" * 400)


def respond_to_whole(connection):
    """A request has 600 bytes, in however many pieces."""
    while True:
        left = 600
        while left > 0:
            piece = connection.recv(left)
            if not piece:
                return
            left -= len(piece)
        connection.sendall(b"a" * 100)


def close_at_once(connection):
    connection.close()


# What this end does.

def connect(port, source=HERE):
    return set_options(socket.create_connection((PEER, port), source_address=(source, 0)))


def send_all(connection):
    while True:
        connection.sendall(b"d" * 65_536)


def send_with_pauses(connection):
    while True:
        connection.sendall(b"d" * 65_536)
        time.sleep(0.1)


def write_in_pieces(connection):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 0)
    while True:
        connection.sendall(b"p" * 300)
        connection.sendall(b"p" * 300)
        connection.recv(1000)


def ask(connection, think_s):
    while True:
        connection.sendall(b"q" * 200)
        connection.recv(1000)
        time.sleep(think_s)


def ask_once(connection):
    connection.sendall(b"q" * 200)
    connection.recv(1000)
    time.sleep(1000)


def send_paced(connection):
    so_max_pacing_rate = 47
    connection.setsockopt(socket.SOL_SOCKET, so_max_pacing_rate, 1_000_000)
    send_all(connection)


def write_small(connection):
    """As a log does: each line leaves at once."""
    while True:
        connection.sendall(b"l" * 120)
        time.sleep(0.01)


def write_corked(connection):
    """Pieces of a request that never fill a segment, and no end of the cork."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, 1)
    write_in_pieces(connection)


def keep_alive(connection):
    connection.sendall(b"q" * 200)
    connection.recv(1000)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in ((socket.TCP_KEEPIDLE, 1), (socket.TCP_KEEPINTVL, 1), (socket.TCP_KEEPCNT, 120)):
        connection.setsockopt(socket.IPPROTO_TCP, option, value)
    hold(connection)


def close_with_data_waiting(connection):
    """A reader that has stopped has a closed window by then."""
    connection.setblocking(False)
    begun = time.monotonic()
    while time.monotonic() - begun < 0.5:
        try:
            connection.send(b"d" * 65_536)
        except BlockingIOError:
            time.sleep(0.01)
    connection.close()


def close_after_the_cut(connection):
    time.sleep(3)
    connection.close()


class Starved:
    """Programs of their own that work on what they read, on a processor that another one uses nearly all the time."""
    READER = """
import os, socket, sys, time
connection = socket.socket(fileno=int(sys.argv[1]))
os.sched_setaffinity(0, {int(sys.argv[2])})
os.nice(15)
while data := connection.recv(65_536):
    end = time.thread_time() + len(data) * 20e-9
    while time.thread_time() < end:
        pass
"""
    running = []

    @classmethod
    def read(cls, connection):
        processor = max(os.sched_getaffinity(0))
        if not cls.running:
            cls.running.append(subprocess.Popen([sys.executable, "-c", "while True: pass"]))
            os.sched_setaffinity(cls.running[0].pid, {processor})
        cls.running.append(subprocess.Popen([sys.executable, "-c", cls.READER, str(connection.fileno()), str(processor)],
                                            pass_fds=[connection.fileno()]))
        connection.close()

    @classmethod
    def end(cls):
        for one in cls.running:
            one.kill()
            one.wait()


def hold(connection):
    time.sleep(1000)
    connection.close()


def close_one_direction(connection):
    connection.shutdown(socket.SHUT_WR)
    hold(connection)


def overflow_own_listener():
    """More connections wait than the queue holds, and the program accepts none."""
    listener = socket.create_server((HERE, 7100), backlog=1)
    clients = [socket.socket() for _ in range(6)]
    for client in clients:
        client.setblocking(False)
        client.connect_ex((HERE, 7100))
    time.sleep(1000)
    listener.close()


def verdict(limit, cause):
    def judge(side):
        found = side["verdict"]
        return found["limit"] == limit and found["cause"] == cause
    return judge


def is_starved(side):
    """And the reason is known."""
    keys = {figure["metric"] for finding in side["findings"] for figure in finding["evidence"]}
    return verdict("application", "slow_reader")(side) and bool(keys & {"processor_wait_ratio", "periods_without_processor"})


def limit_is(limit):
    return lambda side: side["verdict"]["limit"] == limit


def is_open(limit):
    """Nothing is named, and this one may be it."""
    return lambda side: side["verdict"]["limit"] == "unknown" and limit in side["verdict"]["candidates"]


def slowest_is(key):
    """Requests and responses, of whose time this end or the peer takes most. In captures they are client and server."""
    keys = {"this_end_ratio": "here", "client_ratio": "here", "path_ratio": "path", "peer_ratio": "peer", "server_ratio": "peer"}

    def judge(side):
        ratios = {keys[one["metric"]]: one["value"] for one in side["verdict"]["evidence"] if one["metric"] in keys}
        return bool(ratios) and max(ratios, key=ratios.get) == key
    return judge


class Kind:
    """`here` and `there` are what the ends do, `judge` takes what is right. `live` does for live connections and `captured` for
    captures where that differs, which judge the direction with this number."""

    def __init__(self, port, name, here, there, judge, problem=None, source=HERE, live=None, captured=None, direction=0):
        self.port, self.name, self.here, self.there, self.judge = port, name, here, there, judge
        self.problem, self.source = problem, source
        self.live, self.captured, self.direction = live or judge, captured or judge, direction


KINDS = [
    Kind(7001, "SYN unanswered", None, None, verdict("opening", "no_response"), "unanswered_opening", UNHEARD),
    Kind(7002, "path breaks", send_all, sink, verdict("stalled", "no_response"), "stalled", CUT_OFF),
    Kind(7003, "reader stops", send_all, stop_reading, verdict("stalled", "slow_reader"), "stalled"),
    Kind(7004, "slow reader", send_all, read_slowly, verdict("receiver", "slow_reader")),
    Kind(7005, "writer pauses", send_with_pauses, sink, verdict("application", "slow_writer")),
    Kind(7006, "request in pieces", write_in_pieces, respond_to_whole, verdict("application", "nagle"), "small_writes"),
    Kind(7007, "slow server", lambda one: ask(one, 0.01), lambda one: respond(one, 0.06), slowest_is("peer")),
    Kind(7008, "slow client", lambda one: ask(one, 0.06), lambda one: respond(one, 0.01), slowest_is("here")),
    Kind(7009, "idle", ask_once, lambda one: respond(one, 0.0), verdict("idle", "unknown")),
    Kind(7012, "pacing rate", send_paced, sink, verdict("network", "pacing"), captured=is_open("network")),
    Kind(7013, "small writes", write_small, sink, verdict("application", "slow_writer")),
    Kind(7014, "corked request", write_corked, respond_to_whole, verdict("application", "nagle"), "small_writes",
         captured=limit_is("application")),
    Kind(7015, "keep-alives unanswered", keep_alive, lambda one: respond(one, 0.0), verdict("stalled", "no_response"),
         "stalled", CUT_OFF),
    Kind(7016, "slow reader here", read_slowly, send_all, verdict("application", "slow_reader"),
         captured=verdict("receiver", "slow_reader"), direction=1),
    Kind(7018, "path breaks while closed", send_all, stop_reading, verdict("stalled", "no_response"), "stalled", CUT_OFF),
    Kind(7019, "closed with data waiting", close_with_data_waiting, stop_reading, verdict("stalled", "slow_reader"), "stalled"),
    Kind(7020, "last FIN unanswered", close_after_the_cut, close_at_once, verdict("stalled", "no_response"), "stalled", CUT_OFF),
    Kind(7021, "writer pauses there", sink, send_with_pauses, is_open("application"),
         captured=verdict("application", "slow_writer"), direction=1),
    Kind(7022, "no processor here", Starved.read, send_all, verdict("application", "slow_reader"), live=is_starved,
         captured=verdict("receiver", "slow_reader"), direction=1),
    Kind(7010, "peer closed first", hold, close_at_once, verdict("idle", "unknown"), "close_wait"),
    Kind(7011, "closed one direction", close_one_direction, stop_reading, verdict("idle", "unknown"), "fin_wait"),
]
PROBLEMS = {kind.problem for kind in KINDS if kind.problem} | {"accept_queue_overflow"}


def peer():
    """Serves until its standard input ends; a line with an address takes the way back to it."""
    def serve(listener, work):
        while True:
            connection = set_options(listener.accept()[0])
            threading.Thread(target=work, args=(connection,), daemon=True).start()

    sys.stdin.readline()
    subprocess.run(["ip", "link", "set", "there", "up"], check=True)
    subprocess.run(["ip", "address", "add", PEER + "/24", "dev", "there"], check=True)
    for kind in KINDS:
        listener = socket.create_server((PEER, kind.port), backlog=128)
        threading.Thread(target=serve, args=(listener, kind.there), daemon=True).start()
    print("ready", flush=True)
    for line in sys.stdin:
        subprocess.run(["ip", "route", "add", "blackhole", line.strip()], check=True)
        print("cut", flush=True)


class Peer:
    def __init__(self):
        self.process = subprocess.Popen(["unshare", "-n", sys.executable, "-B", __file__, "--peer"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        for command in ("link add here type veth peer name there", f"link set there netns {self.process.pid}",
                        "link set here up", *(f"address add {one}/24 dev here" for one in (HERE, UNHEARD, CUT_OFF))):
            self.retry(["ip", *command.split()])
        self.ask("")

    @staticmethod
    def retry(command):
        """The process has its namespace once unshare made it."""
        for _ in range(50):
            if subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0:
                return
            time.sleep(0.1)
        sys.exit(f"failed: {' '.join(command)}")

    def ask(self, line):
        print(line, file=self.process.stdin, flush=True)
        self.process.stdout.readline()


def begin(kind):
    def work():
        if kind.here is None:
            attempt = socket.socket()
            attempt.bind((kind.source, 0))
            attempt.connect((PEER, kind.port))
        kind.here(connect(kind.port, kind.source))
    threading.Thread(target=work, daemon=True).start()


def report(title, side_of, judge_of, connections, each):
    """Prints a line for each kind, and what is different. Whether enough are right, and none confidently different."""
    right = wrong = 0
    for kind in KINDS:
        sides = [side_of(one, kind) for one in connections if int(one["remote"].rsplit(":", 1)[1]) == kind.port]
        missed = [side for side in sides if not judge_of(kind)(side)]
        unknown = [side for side in missed if side["verdict"]["limit"] == "unknown"]
        different = [side for side in missed if side["verdict"]["limit"] != "unknown"]
        right += len(sides) - len(missed)
        wrong += sum(side["verdict"]["confidence_ratio"] >= CONFIDENT for side in different)
        print(f"{title} {kind.name:<20} {len(sides) - len(missed):>3} of {each}, {len(unknown)} unknown")
        for side in different:
            found = side['verdict']
            print(f"    {found['limit']}/{found['cause']} {found['confidence_ratio']:.2f} {found['text']}")
    print(f"{title} {right} of {each * len(KINDS)} right, {wrong} confidently different")
    return right >= 0.98 * each * len(KINDS) and wrong == 0


def diagnose(title, program, source, judge_of, each):
    out = subprocess.run([program, "diagnose", "--json", "--no-path-book", *source, "--", "dst", PEER], stdout=subprocess.PIPE,
                         check=True).stdout
    return report(title, lambda one, kind: one.get("sending") or one["receiving"], judge_of,
                  json.loads(out)["connections"], each)


def judge_live(program, folder, each):
    """And what was recorded meanwhile."""
    file = folder / "here.tcpscope"
    recording = subprocess.Popen([program, "record", "--output", file, "--for", str(OBSERVED_S)], stderr=subprocess.DEVNULL)
    is_live_right = diagnose("live:", program, ["--for", str(OBSERVED_S)], lambda kind: kind.live, each)
    recording.wait()
    return diagnose("recorded:", program, ["--from", file], lambda kind: kind.judge, each) and is_live_right


class Captures:
    """Of both ends of the Ethernet, from now on."""

    def __init__(self, program, folder, process):
        self.program = program
        self.files = {"here": folder / "here.pcap", "there": folder / "there.pcap"}
        enter = {"here": [], "there": ["nsenter", "--net", "--target", str(process.pid)]}
        self.running = [subprocess.Popen([*enter[end], program, "capture", "--output", file, "--interface", end],
                                         stderr=subprocess.DEVNULL) for end, file in self.files.items()]
        for one, file in zip(self.running, self.files.values()):
            while not file.exists():
                if one.poll() is not None:
                    sys.exit(f"the capture ended with {one.returncode}")
                time.sleep(0.05)
        time.sleep(0.5)

    def judge(self, each):
        for one in self.running:
            one.terminate()
            one.wait()
        are_right = True
        for end, file in self.files.items():
            out = subprocess.run([self.program, "analyze", "--json", file], stdout=subprocess.PIPE, check=True).stdout
            connections = [one for one in json.loads(out)["connections"] if one["remote"].startswith(PEER + ":")]
            are_right = report(f"{end}:", lambda one, kind: one["directions"][kind.direction], lambda kind: kind.captured,
                               connections, each) and are_right
        return are_right


def problems_are_listed(program):
    out = subprocess.run([program, "problems", "--json", "--no-path-book", "--for", "3"], stdout=subprocess.PIPE, check=False)
    listed = {one["kind"] for one in json.loads(out.stdout)["problems"]}
    print(f"problems: {', '.join(sorted(listed))}; missing: {', '.join(sorted(PROBLEMS - listed)) or 'none'}; "
          f"others: {', '.join(sorted(listed - PROBLEMS)) or 'none'}")
    return listed == PROBLEMS and out.returncode == 1


def play(each, other):
    for kind in KINDS:
        for _ in range(each):
            begin(kind)
    threading.Thread(target=overflow_own_listener, daemon=True).start()
    time.sleep(1)
    other.ask(CUT_OFF)
    time.sleep(SETTLED_S)


def main():
    if "--peer" in sys.argv:
        return peer()
    own_namespace.enter()
    each = int(sys.argv[2]) if len(sys.argv) > 2 else 8
    other = Peer()
    other.ask(UNHEARD)
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        captures = Captures(program, pathlib.Path(folder), other.process)
        try:
            play(each, other)
            are_right = judge_live(program, pathlib.Path(folder), each)
        finally:
            Starved.end()
        are_right = captures.judge(each) and are_right
    time.sleep(LEFT_OPEN_S - SETTLED_S - OBSERVED_S)
    return 0 if problems_are_listed(program) and are_right else 1


if __name__ == "__main__":
    sys.exit(main())
