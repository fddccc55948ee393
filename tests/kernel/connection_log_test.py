#!/usr/bin/env python3
"""`watch --events` against a load of short connections that knows how many there were.

    connection_log_test.py PROGRAM

Runs in a network namespace and a mount namespace of its own, where nothing else opens connections. What the log leaves out must
be in its count of lost events.
"""
import collections
import json
import os
import socket
import subprocess
import sys
import threading

CONNECTIONS = 20_000
SKIPPED = 77


def enter_namespaces():
    """With a tracefs of its own: it is not mounted everywhere."""
    if os.geteuid() != 0:
        print("skipped: only root may trace")
        sys.exit(SKIPPED)
    if os.environ.get("TCPSCOPE_APART"):
        return
    script = 'ip link set lo up && (mountpoint -q /sys/kernel/tracing || mount -t tracefs none /sys/kernel/tracing) && exec "$@"'
    done = subprocess.run(["unshare", "--net", "--mount", "sh", "-c", script, "sh", sys.executable, "-B", *sys.argv],
                          env={**os.environ, "TCPSCOPE_APART": "1"}, check=False)
    sys.exit(done.returncode)


class Listener:
    """Closes each connection that it accepts."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.bind(("127.0.0.1", 0))
        self.socket.listen(1024)
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            self.socket.accept()[0].close()


def open_and_close(port):
    with socket.socket() as client:
        client.connect(("127.0.0.1", port))


def lines_until_refused(log, port):
    """The log's lines about the listener, until the attempt that is refused."""
    events = collections.Counter()
    refused = []
    lost = 0
    for text in log:
        line = json.loads(text)
        if line["event"] == "lost":
            lost += line["count"]
        elif line["remote"].endswith(f":{port}"):
            events[line["event"]] += 1
            if line["event"] == "opened":
                assert 0 < line["duration_s"] < 60, line
        elif line["event"] == "opening_failed":
            refused.append(line)
            break
    return events, lost, refused


def main():
    enter_namespaces()
    listener = Listener()
    with subprocess.Popen([sys.argv[1], "watch", "--events", "--json-stream"], stdout=subprocess.PIPE, text=True) as log:
        # The first connection that the log shows: it listens.
        stop = threading.Event()

        def knock():
            while not stop.wait(0.05):
                open_and_close(early.port)

        early = Listener()
        threading.Thread(target=knock, daemon=True).start()
        first = json.loads(log.stdout.readline())
        stop.set()
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
    assert refused and refused[0]["remote"] == "127.0.0.1:1" and refused[0]["thread"] > 0, refused


if __name__ == "__main__":
    main()
