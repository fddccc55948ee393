"""Executes a script again in a network namespace of its own, whose loopback is up."""
import os
import subprocess
import sys

INSIDE = "--inside"


def enter():
    """Returns inside only; ends with 77 where this machine gives no network namespace."""
    if INSIDE in sys.argv:
        sys.argv.remove(INSIDE)
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        return
    for unshare in (["unshare", "-n"], ["unshare", "-rn"]):
        if subprocess.run([*unshare, "true"], check=False, stderr=subprocess.DEVNULL).returncode == 0:
            os.execvp(unshare[0], [*unshare, sys.executable, "-B", *sys.argv, INSIDE])
    print("no network namespace here")
    sys.exit(77)
