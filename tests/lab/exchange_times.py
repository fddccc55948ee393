#!/usr/bin/env python3
"""Compares response times of exchanges with what the server logged: of packets one by one, of the kernel's samples by shares.

    exchange_times.py TCPSCOPE_CLI

Server and client talk over loopback in a network namespace of their own; 77 where this machine gives none. The server
logs how long it had each request before it responded, the client how long it thought. Ends with 1 where

* fewer than 95 of 100 response times of a capture are within 1 ms of the log, or an exchange is missing;
* the share of this end or of the peer, from ten samples a second, differs by more than 10 points.
"""
import contextlib
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

import own_namespace

PORT = 7000
# As many as a document names as the slowest of a connection.
EXCHANGES = 5
CONNECTIONS = 40
AT_ONCE = 4
REQUEST = b"r" * 200
RESPONSE = b"a" * 600
WITHIN_S = 0.001
POINTS = 0.10
OBSERVED_S = 10
# How long the server and the client take, in seconds.
SLOW_ENDS = [(0.060, 0.015), (0.030, 0.060), (0.020, 0.080), (0.150, 0.020)]


class Server:
    """Takes as long for a response as its request says; logs by the client's port what it really took."""

    def __init__(self):
        self.taken = {}
        self.listener = socket.create_server(("127.0.0.1", PORT), backlog=64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, address = self.listener.accept()
            threading.Thread(target=self.serve, args=(connection, address[1]), daemon=True).start()

    def serve(self, connection, port):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        log = self.taken.setdefault(port, [])
        while request := connection.recv(len(REQUEST)):
            begin = time.monotonic()
            time.sleep(float(request.rstrip(b"r")))
            log.append(time.monotonic() - begin)
            connection.sendall(RESPONSE)


class Client:
    """One connection; `thought` is what the client's own turns took."""

    def __init__(self):
        self.connection = socket.create_connection(("127.0.0.1", PORT))
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.port = self.connection.getsockname()[1]
        self.thought = []

    def exchange(self, server_s, client_s):
        begin = time.monotonic()
        time.sleep(client_s)
        self.thought.append(time.monotonic() - begin)
        self.connection.sendall(f"{server_s:.6f}".encode().ljust(len(REQUEST), b"r"))
        left = len(RESPONSE)
        while left > 0:
            left -= len(self.connection.recv(left))


def run_all(tasks):
    threads = [threading.Thread(target=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def capture_of(program, folder):
    """Analysis of a capture of CONNECTIONS connections."""
    file = folder / "exchanges.pcap"
    capturing = subprocess.Popen([program, "capture", "--output", file, "--interface", "lo"], stderr=subprocess.PIPE)
    while not file.exists() and capturing.poll() is None:
        time.sleep(0.05)
    time.sleep(0.5)
    chance = random.Random(1)
    plans = [[chance.uniform(0.001, 0.060) for _ in range(EXCHANGES)] for _ in range(CONNECTIONS)]

    def work(mine):
        for plan in mine:
            client = Client()
            for server_s in plan:
                client.exchange(server_s, 0.002)
            client.connection.close()

    run_all([lambda mine=plans[first::AT_ONCE]: work(mine) for first in range(AT_ONCE)])
    time.sleep(0.5)
    capturing.terminate()
    capturing.communicate(timeout=30)
    return json.loads(subprocess.run([program, "analyze", "--json", file], stdout=subprocess.PIPE, check=True).stdout)


def client_port(connection):
    ports = [int(connection[end].rsplit(":", 1)[1]) for end in ("local", "remote")]
    return ports[0] if ports[1] == PORT else ports[1]


def exchanges_in(value):
    """The exchanges of a connection stand in the document of each of its directions."""
    if isinstance(value, dict):
        if "slowest" in value and "response_median_us" in value:
            return value
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            found = exchanges_in(one)
            if found:
                return found
    return None


def compare_packets(program, server, folder):
    document = capture_of(program, folder)
    captured = {client_port(connection): exchanges_in(connection) for connection in document["connections"]}
    errors = []
    missing = 0
    for port, log in server.taken.items():
        exchanges = captured.get(port)
        seen = sorted(exchanges["slowest"], key=lambda one: one["time_s"]) if exchanges else []
        missing += len(log) - len(seen)
        errors += [one["response_us"] / 1e6 - taken for one, taken in zip(seen, log)] if len(seen) == len(log) else []
    within = sum(abs(error) <= WITHIN_S for error in errors)
    worst = max((abs(error) for error in errors), default=0.0)
    print(f"packets: {within} of {len(errors)} response times within {WITHIN_S * 1e3:.0f} ms of the server's log, "
          f"worst {worst * 1e3:.2f} ms, {missing} missing")
    return missing == 0 and errors and within >= 0.95 * len(errors)


def compare_samples(program, server):
    clients = [Client() for _ in SLOW_ENDS]
    ended = threading.Event()

    def work(client, server_s, client_s):
        while not ended.is_set():
            client.exchange(server_s, client_s)

    threads = [threading.Thread(target=work, args=(client, *plan)) for client, plan in zip(clients, SLOW_ENDS)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    begin = {client.port: (len(server.taken[client.port]), len(client.thought)) for client in clients}
    started = time.monotonic()
    text = subprocess.run([program, "diagnose", "--json", "--no-path-book", "--interval", "0.1", "--for", str(OBSERVED_S),
                           "--", "dport", "=", f":{PORT}"], stdout=subprocess.PIPE, check=True).stdout
    lasted = time.monotonic() - started
    right = True
    found = {client_port(connection): ratios_in(connection) for connection in json.loads(text)["connections"]}
    for client, (server_s, client_s) in zip(clients, SLOW_ENDS):
        at_server, at_client = begin[client.port]
        peer = sum(server.taken[client.port][at_server:]) / lasted
        here = sum(client.thought[at_client:]) / lasted
        ratios = found.get(client.port)
        if ratios is None:
            print(f"samples: server {server_s * 1e3:.0f} ms, client {client_s * 1e3:.0f} ms: no shares")
            right = False
            continue
        error = max(abs(ratios["peer_ratio"] - peer), abs(ratios["this_end_ratio"] - here))
        right = right and error <= POINTS
        print(f"samples: server {server_s * 1e3:.0f} ms, client {client_s * 1e3:.0f} ms: peer {ratios['peer_ratio']:.2f} "
              f"(log {peer:.2f}), this end {ratios['this_end_ratio']:.2f} (log {here:.2f})")
    ended.set()
    for thread in threads:
        thread.join()
    return right


def ratios_in(value):
    """The figures of a verdict or finding that have the shares of exchanges, by key."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        named = {one["metric"]: one["value"] for one in value if isinstance(one, dict) and "metric" in one and "value" in one}
        if "peer_ratio" in named and "this_end_ratio" in named:
            return named
        for one in value:
            found = ratios_in(one)
            if found:
                return found
    return None


def main():
    own_namespace.enter()
    # The log is not of what other programs make these wait.
    with contextlib.suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        server = Server()
        packets = compare_packets(program, server, pathlib.Path(folder))
        samples = compare_samples(program, server)
    return 0 if packets and samples else 1


if __name__ == "__main__":
    sys.exit(main())
