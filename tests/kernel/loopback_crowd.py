"""A thousand connections on loopback, as different from each other as one machine can make them, which then rest.

What changes the machine (a link taken down, a queue that drops, sysctls) is done only in a network namespace made for
it. Everything is bounded: a transfer ends with its bytes or at its deadline, and close() ends all sockets.
"""
import select
import socket
import struct
import subprocess
import time

CONNECTIONS = 1000
LOSSY = 24
BLACKED_OUT = 8
UNANSWERED = 12
LOSSY_BYTES = 200_000
TRANSFER_SECONDS = 15


class LoopbackCrowd:
    def __init__(self, owns_namespace):
        self.owns_namespace = owns_namespace
        self.listeners = [_listener(socket.AF_INET, "127.0.0.1"), _listener(socket.AF_INET6, "::")]
        self.pairs = []
        if owns_namespace:
            self._open_lossy()
            self._open_blacked_out()
        index = 0
        while len(self.pairs) < CONNECTIONS - UNANSWERED:
            self._open_resting(index)
            index += 1
        last = [self._connect() for _ in range(UNANSWERED)]
        if owns_namespace:
            _leave_unanswered(last)

    def sockets(self):
        return [end for pair in self.pairs for end in pair]

    def close(self):
        for end in self.sockets() + self.listeners:
            end.close()

    def _connect(self, host="127.0.0.1", listener=0, **options):
        server = self.listeners[listener]
        client = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
        _set(client, options)
        client.connect((host, server.getsockname()[1]))
        accepted, _ = server.accept()
        for end in (client, accepted):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            end.setblocking(False)
        self.pairs.append((client, accepted))
        return client, accepted

    def _open_resting(self, index):
        """Eleven habits, in turn, over three kinds of address and three congestion controls."""
        host, listener = (("127.0.0.1", 0), ("::1", 1), ("127.0.0.1", 1))[index % 3]
        if listener == 1 and not socket.has_ipv6:
            host, listener = "127.0.0.1", 0
        options = {"congestion": (b"bbr", b"reno", b"cubic")[index // 3 % 3]}
        habit = index % 11
        if habit == 1:
            options["pacing"] = 1_000_000 + index
        if habit == 2:
            options["segment"] = 500 + index
        if habit == 3:
            options["receive_buffer"] = 8192
        client, accepted = self._connect(host, listener, **options)
        payload = b"x" * (1 + index * 37 % 60_000)
        if habit == 4:
            client.send(payload)  # It is never read.
        elif habit in (1, 2, 5):
            _transfer(client, accepted, payload)
        elif habit == 6:
            _transfer(accepted, client, payload)
        elif habit in (3, 7):
            for _ in range(5):
                _transfer(client, accepted, payload[:900])
                _transfer(accepted, client, payload[:70])
        elif habit == 8:
            client.shutdown(socket.SHUT_WR)
        elif habit == 9:
            _transfer(client, accepted, payload * 8)
        elif habit == 10 and index < 300:
            _fill(client)

    def _open_lossy(self):
        """Through a slow link with a short queue: losses, recovery, segments out of order, needless repeats."""
        if not _works("tc qdisc add dev lo root tbf rate 60mbit burst 6000 limit 9000"):
            return
        _works("ip link set lo mtu 1500")
        for index in range(LOSSY):
            client, accepted = self._connect(congestion=(b"cubic", b"reno", b"bbr")[index % 3])
            _transfer(client, accepted, b"l" * LOSSY_BYTES)
        _works("ip link set lo mtu 65536")
        _works("tc qdisc del dev lo root")

    def _open_blacked_out(self):
        """The link goes away under data: timeouts."""
        pairs = [self._connect() for _ in range(BLACKED_OUT)]
        for client, accepted in pairs:
            _transfer(client, accepted, b"b" * 5000)
        _works("ip link set lo down")
        for client, _ in pairs:
            client.send(b"b" * 3000)
        deadline = time.monotonic() + TRANSFER_SECONDS
        while time.monotonic() < deadline and any(_retransmitted(client) == 0 for client, _ in pairs):
            time.sleep(0.02)
        _works("ip link set lo up")
        for client, accepted in pairs:
            _transfer(client, accepted, b"b" * 3000)
            _drain(accepted)


def _leave_unanswered(pairs):
    """From here on the link swallows everything: what is sent stays in flight, and is retransmitted again and again."""
    if _works("tc qdisc add dev lo root blackhole"):
        for client, _ in pairs:
            _fill(client)


def _works(command):
    return subprocess.run(command.split(), capture_output=True, check=False).returncode == 0


def _listener(family, host):
    return socket.create_server((host, 0), family=family, backlog=16, dualstack_ipv6=family == socket.AF_INET6)


def _set(client, options):
    if "congestion" in options:
        try:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, options["congestion"])
        except OSError:
            pass  # This kernel lacks it: the connection takes the usual one.
    if "pacing" in options:
        client.setsockopt(socket.SOL_SOCKET, 47, struct.pack("Q", options["pacing"]))  # SO_MAX_PACING_RATE
    if "segment" in options:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, options["segment"])
    if "receive_buffer" in options:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, options["receive_buffer"])


def _retransmitted(end):
    raw = end.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 104)
    return struct.unpack_from("=I", raw, 100)[0]


def _transfer(sender, receiver, payload):
    """Sends and reads in turn, so that neither end waits for the other; gives up at a deadline."""
    unsent, unread = memoryview(payload), len(payload)
    deadline = time.monotonic() + TRANSFER_SECONDS
    while unread > 0 and time.monotonic() < deadline:
        ready = _wait({receiver: select.POLLIN, sender: select.POLLOUT if unsent else 0})
        if sender.fileno() in ready and unsent:
            unsent = unsent[sender.send(unsent):]
        if receiver.fileno() in ready:
            unread -= len(receiver.recv(65536))


def _wait(events):
    """The descriptors that are ready, after a tenth of a second at most."""
    waiting = select.poll()
    for end, mask in events.items():
        waiting.register(end, mask)
    return {descriptor for descriptor, _ in waiting.poll(100)}


def _drain(receiver):
    while _wait({receiver: select.POLLIN}):
        receiver.recv(65536)


def _fill(sender):
    """Writes until nothing more fits: the peer's receive window is closed then."""
    try:
        for _ in range(100):
            sender.send(b"f" * 65536)
    except BlockingIOError:
        pass
