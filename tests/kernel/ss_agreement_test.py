"""tcpscope-cli list says what ss says, on every field of every connection; where ss is silent, what getsockopt says.

Usage: ss_agreement_test.py TCPSCOPE_CLI. Exits with 77 where this machine cannot decide, with the reason.

A connection is compared in a round in which it rested: ss and getsockopt are asked before and after the program, and
gave the same but for ages. Clocks that run while data waits must lie between the two. A fault counts when it shows in
two rounds, so that a change and its change back between two polls are none.
"""
import json
import os
import resource
import shutil
import subprocess
import sys
import time

import loopback_crowd
import ss_dialect
import tcp_info_bytes

SKIPPED = 77
DEADLINE_SECONDS = 60
INSIDE = "--inside-namespace"

# Keys that follow from others here, ages, and what ss prints only with --tos; all others must be compared with a figure of ss.
NOT_COMPARED = {
    "traffic_class",
    "last_data_sent_us", "last_ack_sent_us", "last_data_recv_us", "last_ack_recv_us", "congestion_window_bytes",
    "in_flight_bytes", "rtt_inflation_ratio", "bandwidth_delay_product_bytes", "retransmitted_ratio"}


def run(command):
    return subprocess.run(command, capture_output=True, check=True, text=True, timeout=30).stdout


def enter_own_namespace(arguments):
    """Starts this program again in a network namespace of its own, and ends with its exit code; returns if none is
    to be had."""
    for unshare in (["unshare", "-n"], ["unshare", "-rn"]):
        if shutil.which("unshare") and subprocess.run(unshare + ["ip", "link", "set", "lo", "up"], check=False,
                                                      capture_output=True).returncode == 0:
            sys.exit(subprocess.run(unshare + [sys.executable, "-B", *arguments, INSIDE], check=False).returncode)


def ask_ss(pairs):
    return ss_dialect.parse(run(["ss", "-tinmH"]), pairs)


def ask_kernel(crowd):
    return {_pair(end): tcp_info_bytes.read(end) for end in crowd.sockets()}


def _pair(end):
    return tuple(f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
                 for host, port, *_ in (end.getsockname(), end.getpeername()))


def ask_tcpscope(program):
    document = json.loads(run([program, "list", "--json", "--no-resolve"]))
    return {(connection["local"], connection["remote"]): connection for connection in document["connections"]
            if connection["state"] not in ss_dialect.STATES_WITHOUT_FIGURES}


def resting(before, after, apart):
    return all(before.get(name) == after.get(name) for name in (before.keys() | after.keys()) - apart)


def compare(ours, before, after, clocks, number):
    """One line for each field that differs from what another program said before and after."""
    for name in sorted(ours.keys() | before.keys() | after.keys()):
        ours_value, low, high = ours.get(name), before.get(name), after.get(name)
        if name in clocks and low != high:
            # A clock that stood at 0 is not printed.
            if not number(low) <= number(ours_value) <= number(high):
                yield f"{name}: tcpscope {ours_value}, others {low} to {high}"
        elif ours_value != low:
            yield f"{name}: tcpscope {ours_value}, others {low}"


class Agreement:
    """What was compared so far, and what did not agree."""

    def __init__(self):
        self.compared = set()
        self.suspects = {}
        self.faults = {}
        self.tokens_seen = set()

    def judge(self, pair, connection, ss, kernel):
        ss = [{name: text for name, text in sample[pair].items() if name not in ss_dialect.AGES | ss_dialect.DERIVED}
              for sample in ss]
        if not resting(*ss, ss_dialect.RUNNING_CLOCKS):
            return
        if not resting(kernel[0][pair], kernel[1][pair], tcp_info_bytes.RUNNING_CLOCKS):
            return
        self.tokens_seen.update(ss[0])
        metrics = connection["metrics"]
        faults = list(compare(ss_dialect.tokens_of(connection), *ss, ss_dialect.RUNNING_CLOCKS,
                              lambda text: ss_dialect.leading_number(text) if text else 0))
        known = {key: metrics[key] for key in tcp_info_bytes.COMPARED_KEYS if key in metrics}
        faults += compare(known, kernel[0][pair], kernel[1][pair], tcp_info_bytes.RUNNING_CLOCKS, lambda value: value)
        faults += [f"{key}: nothing to compare it with" for key in metrics
                   if key not in tcp_info_bytes.COMPARED_KEYS | ss_dialect.COMPARED_KEYS | NOT_COMPARED]
        repeated = set(faults) & self.suspects.get(pair, set())
        self.suspects[pair] = set(faults)
        if repeated:
            self.faults[pair] = sorted(repeated)
        if repeated or not faults:
            self.compared.add(pair)

    def round(self, program, crowd):
        pairs = {_pair(end) for end in crowd.sockets()}
        ss, kernel = [ask_ss(pairs)], [ask_kernel(crowd)]
        ours = ask_tcpscope(program)
        kernel.append(ask_kernel(crowd))
        ss.append(ask_ss(pairs))
        for pair in pairs & ss[0].keys() & ss[1].keys() & ours.keys() - self.compared:
            self.judge(pair, ours[pair], ss, kernel)
        return pairs - self.compared


def compare_all(program, owns_namespace):
    crowd = loopback_crowd.LoopbackCrowd(owns_namespace)
    agreement = Agreement()
    try:
        deadline = time.monotonic() + DEADLINE_SECONDS
        missing = agreement.round(program, crowd)
        while missing and time.monotonic() < deadline:
            time.sleep(0.05)
            missing = agreement.round(program, crowd)
    finally:
        crowd.close()
    for pair, faults in list(agreement.faults.items())[:20]:
        print(f"{pair[0]} -> {pair[1]}")
        for fault in faults:
            print(f"  {fault}")
    for pair in list(missing)[:20]:
        suspects = sorted(agreement.suspects.get(pair, []))
        print(f"{pair[0]} -> {pair[1]} never rested, or one of the programs does not list it {suspects}")
    print(f"{len(agreement.compared)} sockets of {len(crowd.pairs)} connections compared, "
          f"{len(agreement.faults)} disagree, {len(missing)} not compared.")
    print("Fields seen:", ", ".join(sorted(agreement.tokens_seen)))
    return 1 if agreement.faults or missing else 0


def main():
    arguments = [argument for argument in sys.argv if argument != INSIDE]
    if not shutil.which("ss"):
        print("Skipped: there is no ss on this machine to compare with.")
        return SKIPPED
    if INSIDE not in sys.argv:
        enter_own_namespace(arguments)
    needed = 2 * loopback_crowd.CONNECTIONS + 100
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < needed:
        print(f"Skipped: {needed} open files are needed, {hard} are allowed.")
        return SKIPPED
    if soft != resource.RLIM_INFINITY and soft < needed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (needed, hard))
    if INSIDE in sys.argv:
        run(["ip", "link", "set", "lo", "up"])
    return compare_all(os.path.abspath(arguments[1]), INSIDE in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
