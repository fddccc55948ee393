#!/usr/bin/env python3
"""Runs healthy programs and asks tcpscope for problems: there must be none.

    healthy_controls.py TCPSCOPE_CLI [RUNS]

A busy web server, a pool of idle connections, a terminal session and a stream at a constant rate talk over loopback in a
network namespace of their own; 77 where this machine gives none. In each run (5 of them by default) `problems` observes
them for three seconds. Ends with 1 where any run names a problem.
"""
import json
import pathlib
import random
import socket
import subprocess
import sys
import threading
import time

import own_namespace

WEB, POOL, TERMINAL, STREAM = range(7001, 7005)
NAMES = {WEB: "web server", POOL: "idle pool", TERMINAL: "terminal", STREAM: "stream"}


def serve(port, work):
    """Each connection has a thread, in which `work` reads until the client closes."""
    listener = socket.create_server(("127.0.0.1", port), backlog=128)

    def one(connection):
        with connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            work(connection)

    def accept():
        while True:
            threading.Thread(target=one, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()


def connect(port):
    connection = socket.create_connection(("127.0.0.1", port))
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def answer(response):
    def work(connection):
        while request := connection.recv(1 << 16):
            connection.sendall(response or request)
    return work


def drain(connection):
    while connection.recv(1 << 16):
        pass


def browse():
    """New connections, a few requests on each; far from using up ports."""
    chance = random.Random()
    while True:
        with connect(WEB) as connection:
            for _ in range(chance.randint(1, 4)):
                connection.sendall(b"g" * 400)
                left = 20_000
                while left > 0:
                    left -= len(connection.recv(left))
                time.sleep(chance.uniform(0.0, 0.02))
        time.sleep(chance.uniform(0.1, 0.3))


def keep_pool(connections):
    for _ in range(20):
        connection = connect(POOL)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        connection.sendall(b"hello")
        connection.recv(100)
        connections.append(connection)


def type_keys():
    chance = random.Random()
    with connect(TERMINAL) as connection:
        while True:
            connection.sendall(b"k" * 36)
            connection.recv(1 << 16)
            time.sleep(chance.uniform(0.05, 0.4))


def stream():
    """10 Mbit/s in pieces of 50 ms."""
    with connect(STREAM) as connection:
        due = time.monotonic()
        while True:
            connection.sendall(b"v" * 62_500)
            due += 0.05
            time.sleep(max(due - time.monotonic(), 0.0))


def main():
    own_namespace.enter()
    program = pathlib.Path(sys.argv[1]).resolve()
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    serve(WEB, answer(b"p" * 20_000))
    serve(POOL, answer(None))
    serve(TERMINAL, answer(None))
    serve(STREAM, drain)
    pool = []
    keep_pool(pool)
    for work in [browse] * 8 + [type_keys, stream]:
        threading.Thread(target=work, daemon=True).start()
    time.sleep(1)
    named = 0
    for _ in range(runs):
        result = subprocess.run([program, "problems", "--json", "--no-path-book", "--for", "3"], stdout=subprocess.PIPE,
                                check=False)
        problems = json.loads(result.stdout)["problems"]
        if result.returncode not in (0, 1) or bool(problems) != (result.returncode == 1):
            print(f"exit {result.returncode} with {len(problems)} problems")
            return 1
        for problem in problems:
            print(json.dumps(problem))
        named += bool(problems)
    print(f"{named} of {runs} runs named a problem of healthy programs: {', '.join(NAMES.values())}")
    return 1 if named else 0


if __name__ == "__main__":
    sys.exit(main())
