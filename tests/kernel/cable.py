"""Two hosts as network namespaces, with a cable between them, for tests of the running kernel."""
import os
import subprocess
import sys

SENDER, RECEIVER = "192.0.2.1", "192.0.2.2"
SKIPPED = 77


def skip(reason):
    print("skipped:", reason)
    sys.exit(SKIPPED)


class Namespace:
    """Lasts as long as a process in it."""

    def __init__(self, ended):
        self.holder = ended.enter_context(subprocess.Popen(["unshare", "--net", "sh", "-c", "echo; read line"],
                                                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        ended.callback(self.holder.stdin.close)
        if self.holder.stdout.readline() == "":
            skip("no network namespace")
        self.inode = os.stat(self.path()).st_ino

    def path(self):
        return f"/proc/{self.holder.pid}/ns/net"

    def command(self, *words):
        return ["nsenter", f"--net={self.path()}", *words]

    def python(self, ended, text, *arguments):
        process = ended.enter_context(subprocess.Popen(self.command(sys.executable, "-c", text, *arguments),
                                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        ended.callback(process.kill)
        return process


def connected(ended):
    """The sender and the receiver."""
    hosts = Namespace(ended), Namespace(ended)
    cable = ["ip", "link", "add", "cable", "netns", str(hosts[0].holder.pid), "type", "veth",
             "peer", "name", "cable", "netns", str(hosts[1].holder.pid)]
    if subprocess.run(cable, check=False).returncode != 0:
        skip("no virtual Ethernet devices")
    for host, address in zip(hosts, (SENDER, RECEIVER)):
        subprocess.run(host.command("ip", "address", "add", f"{address}/24", "dev", "cable"), check=True)
        subprocess.run(host.command("ip", "link", "set", "cable", "up"), check=True)
    return hosts
