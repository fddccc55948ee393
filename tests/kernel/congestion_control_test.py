#!/usr/bin/env python3
"""HighSpeed TCP and gentle HighSpeed TCP as programs in the kernel: load them, carry transfers, unload them.

    congestion_control_test.py PROGRAM

Runs in a mount namespace of its own, whose BPF file system holds the registrations: they end with the test, however it ends. The transfers
cross a cable between two network namespaces.
"""
import contextlib
import errno
import json
import os
import socket
import subprocess
import sys
import tempfile
import time

from cable import RECEIVER, connected, skip

PORT = 5_000
CONTROLS = ["hstcp", "ghstcp_orig", "ghstcp"]
BYTES = 20_000_000
INSIDE = "TCPSCOPE_TEST_INSIDE"
AVAILABLE = "/proc/sys/net/ipv4/tcp_available_congestion_control"
DEFAULT = "/proc/sys/net/ipv4/tcp_congestion_control"

RECEIVE = f"""
import socket
listener = socket.create_server(("{RECEIVER}", {PORT}))
print("listens", flush=True)
while True:
    connection = listener.accept()[0]
    received = 0
    while data := connection.recv(1 << 20):
        received += len(data)
    print(received, flush=True)
"""
# Each line is a number of bytes to send.
SEND = f"""
import socket, sys
connection = socket.socket()
connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, sys.argv[1].encode())
connection.connect(("{RECEIVER}", {PORT}))
print("connected", flush=True)
for line in sys.stdin:
    connection.sendall(bytes(int(line)))
    print(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16).rstrip(b"\\0").decode(), flush=True)
"""


def words_of(path):
    with open(path, encoding="ascii") as file:
        return file.read().split()


class Test:
    def __init__(self, program, ended):
        self.program = program
        self.ended = ended
        self.sender, self.receiver = connected(ended)
        self.receiving = self.receiver.python(ended, RECEIVE)
        assert self.receiving.stdout.readline() == "listens\n"

    def run(self, *words):
        return subprocess.run([self.program, *words], capture_output=True, text=True, check=False)

    def controls(self, *words):
        return self.run("lab", "congestion-controls", *words)

    def connect(self, control):
        sending = self.sender.python(self.ended, SEND, control)
        assert sending.stdout.readline() == "connected\n", control
        return sending

    @staticmethod
    def send(sending, count):
        """The congestion control that the socket has afterwards."""
        sending.stdin.write(f"{count}\n")
        sending.stdin.flush()
        return sending.stdout.readline().strip()

    def end(self, sending):
        """What the receiver got."""
        sending.stdin.close()
        return int(self.receiving.stdout.readline())

    def listed(self):
        listing = self.run("list", "--json", "--netns", str(self.sender.holder.pid), "--", "dport", "=", f":{PORT}", "and", "state", "established")
        assert listing.returncode == 0, listing
        return json.loads(listing.stdout)["connections"]

    def listed_controls(self):
        return [one["congestion_control"] for one in self.listed()]

    def check_default(self, before):
        assert words_of(DEFAULT) == before


def check_loading(test):
    before = test.controls("list")
    assert before.returncode == 0 and before.stdout.count("not loaded") == len(CONTROLS), before
    nothing = test.controls("unload")
    assert nothing.returncode == 1 and "nothing to unload" in nothing.stderr, nothing
    for _ in range(2):  # What is loaded may be loaded again.
        loaded = test.controls("load")
        assert loaded.returncode == 0 and loaded.stdout.count("loaded until") == len(CONTROLS), loaded
    assert set(CONTROLS) <= set(words_of(AVAILABLE))


def check_transfers(test):
    for control in CONTROLS:
        sending = test.connect(control)
        assert test.send(sending, BYTES) == control
        assert test.listed_controls() == [control]
        assert test.end(sending) == BYTES


def check_tuning(test):
    sending = test.connect("reno")
    os.environ["STATE_DIRECTORY"] = test.ended.enter_context(tempfile.TemporaryDirectory())
    connection = test.listed()[0]
    both = f"{connection['local']}-{connection['remote']}"
    tuned = subprocess.run(test.sender.command(test.program, "tune", both, "TCP_CONGESTION=ghstcp"),
                           capture_output=True, text=True, check=False)
    assert tuned.returncode == 0, tuned
    assert test.send(sending, BYTES) == "ghstcp"
    assert test.end(sending) == BYTES


def check_unloading(test):
    sending = test.connect("ghstcp")
    assert test.send(sending, BYTES) == "ghstcp"
    unloaded = test.controls("unload")
    assert unloaded.returncode == 0 and unloaded.stdout.startswith("Unloaded."), unloaded
    wait_until(lambda: not set(CONTROLS) & set(words_of(AVAILABLE)), "unloaded controls are offered")
    # The connection keeps the program.
    assert test.send(sending, BYTES) == "ghstcp"
    assert test.listed_controls() == ["ghstcp"]
    assert test.end(sending) == 2 * BYTES
    with socket.socket() as late:
        try:
            late.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"ghstcp")
        except OSError as error:
            assert error.errno == errno.ENOENT, error
        else:
            raise AssertionError("ghstcp is offered after it was unloaded")


def check_lab(test):
    """A lab that names one loads it for its own time."""
    run = test.run("lab", "run", "healthy", "--for", "1", "--set", "traffic.main.congestion_control=ghstcp", "--json")
    assert json.loads(run.stdout)["connections"][0]["congestion_control"] == "ghstcp", run
    wait_until(lambda: not set(CONTROLS) & set(words_of(AVAILABLE)), "a lab leaves controls behind")
    user = ["setpriv", "--reuid=65534", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"]
    refused = subprocess.run([*user, test.program, "lab", "run", "healthy", "--for", "1",
                              "--set", "traffic.main.congestion_control=ghstcp"], capture_output=True, text=True, check=False)
    assert refused.returncode == 1 and "'ghstcp'" in refused.stderr, refused
    refused = subprocess.run([*user, test.program, "lab", "congestion-controls", "load"], capture_output=True, text=True, check=False)
    assert refused.returncode == 3 and "only root" in refused.stderr, refused


def wait_until(condition, what):
    """The kernel drops a registration some time after its last holder, and reports no end."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.02)


def check_killed_lab(test):
    """Its registrations end with it, and another lab that shares them keeps them until then."""
    command = [test.program, "lab", "run", "healthy", "--for", "60", "--set", "traffic.main.congestion_control=ghstcp"]
    running = [test.ended.enter_context(subprocess.Popen(command, stdout=subprocess.DEVNULL)) for _ in range(2)]
    for process in running:
        test.ended.callback(process.kill)
    wait_until(lambda: all(holds_control(process.pid) for process in running), "the labs do not begin")
    assert test.controls("list").stdout.count("until the last lab") == len(CONTROLS)
    refused = test.controls("unload")
    assert refused.returncode == 6 and "running lab" in refused.stderr, refused
    running[0].kill()
    running[0].wait()
    assert set(CONTROLS) <= set(words_of(AVAILABLE))
    running[1].kill()
    running[1].wait()
    wait_until(lambda: not set(CONTROLS) & set(words_of(AVAILABLE)), "killed labs leave controls behind")


def holds_control(pid):
    """A link to each of them: the information on its descriptor names it so."""
    folder = f"/proc/{pid}/fdinfo"
    count = 0
    for name in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError), open(f"{folder}/{name}", encoding="ascii") as file:
            count += "link_id:" in file.read()
    return count >= len(CONTROLS)


def main():
    program = os.path.abspath(sys.argv[1])
    if os.geteuid() != 0:
        skip("only root may load congestion controls")
    if INSIDE not in os.environ:
        mounted = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", 'mount -t bpf bpf /sys/fs/bpf || exit 77; exec "$@"', "sh"]
        os.execvpe("unshare", [*mounted, sys.executable, "-B", *sys.argv], {**os.environ, INSIDE: "1"})
    doctor = subprocess.run([program, "doctor", "--json"], stdout=subprocess.PIPE, check=False)
    state = next(one for one in json.loads(doctor.stdout)["checks"] if one["name"] == "congestion_controls")
    if state["state"] != "works":
        skip(state["text"])
    if set(CONTROLS) & set(words_of(AVAILABLE)):
        skip("the congestion controls are loaded already")
    assert "can be loaded" in state["text"], state
    default = words_of(DEFAULT)
    with contextlib.ExitStack() as ended:
        test = Test(program, ended)
        check_loading(test)
        test.check_default(default)
        check_transfers(test)
        check_tuning(test)
        check_unloading(test)
        check_lab(test)
        check_killed_lab(test)
        test.check_default(default)
    print("The congestion controls carried their transfers, and are unloaded.")


if __name__ == "__main__":
    main()
