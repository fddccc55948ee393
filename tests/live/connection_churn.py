"""Opens and closes loopback connections at a fixed pace, until its standard input ends.

    connection_churn.py CONNECTIONS_PER_SECOND

Each is open for two seconds, so that most polls see it, and has both ends in this process. Nine of ten are reset; the tenth is
closed with FIN and stays in TIME-WAIT. Prints a line each second: how many were opened in all.
"""

import collections
import select
import socket
import struct
import sys
import time

OPEN_SECONDS = 2.0
PACE_SECONDS = 0.01
# A destination has some 28,000 ephemeral ports, and a connection in TIME-WAIT keeps its own for a minute.
LISTENERS = [f"127.2.0.{number}" for number in range(1, 17)]
RESET_ON_CLOSE = struct.pack("ii", 1, 0)


def listen():
    listeners = []
    for address in LISTENERS:
        listener = socket.create_server((address, 0), backlog=128)
        listeners.append((listener, listener.getsockname()))
    return listeners


def connect(listener, address, is_reset):
    client = socket.socket()
    client.connect(address)
    server, _ = listener.accept()
    if is_reset:
        for end in (client, server):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
    return client, server


def close_older(connections, moment):
    while connections and connections[0][0] <= moment:
        _, client, server = connections.popleft()
        client.close()
        server.close()


def main(connections_per_second):
    listeners = listen()
    connections = collections.deque()
    opened = 0
    start = time.monotonic()
    next_report = start + 1
    # A second that was missed is not made up for at once: a burst would be another load.
    due = 0.0
    last = start
    while not select.select([sys.stdin], [], [], PACE_SECONDS)[0]:
        now = time.monotonic()
        due = min(due + (now - last) * connections_per_second, connections_per_second)
        last = now
        close_older(connections, now - OPEN_SECONDS)
        while due >= 1:
            listener, address = listeners[opened % len(listeners)]
            connections.append((now, *connect(listener, address, is_reset=opened % 10 != 0)))
            opened += 1
            due -= 1
        if now >= next_report:
            next_report += 1
            print(opened, flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
