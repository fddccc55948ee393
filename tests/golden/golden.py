#!/usr/bin/env python3
"""Runs golden cases through tcpscope-cli and compares what it reports with expected.json.

    golden.py CLI CASE…            compare; prints each difference; exit 1 where there is one
    golden.py --update CLI CASE…   write expected.json again
    golden.py --add CLI CASE INPUT WHY   make a case of a recording or capture

A case is a folder: see README.md. Only what has to stay the same is compared: verdicts, findings, counts and negotiated
options. Confidence counts as "confident" or not, rates are rounded to two digits, times and sentences are left out.
"""

import json
import os
import subprocess
import sys

CONFIDENT = 0.8
# Cumulative counters of the kernel; what it estimates from moment to moment is left out.
COUNTERS = ("bytes_acked", "bytes_received", "bytes_retrans", "data_segs_in", "data_segs_out", "delivered_ce_segments",
            "dsack_dups", "rcv_ooopack", "reord_seen", "total_retrans_segments", "total_rto")
CAPTURED_COUNTS = ("packets", "data_packets", "payload_bytes", "unique_bytes", "retransmitted_packets",
                   "retransmitted_bytes", "retransmissions_by_cause", "out_of_order_packets", "filled_hole_packets",
                   "duplicate_acks", "zero_window_events", "zero_window_probes", "keep_alives", "window_min_bytes",
                   "window_max_bytes", "max_in_flight_bytes", "early_acknowledgments", "options")


def rounded(value):
    """Two significant digits: enough to see a wrong unit or a lost interval, not a reordered sum."""
    return float(f"{value:.2g}") if isinstance(value, (int, float)) else value


def picked(document, keys):
    return {key: document[key] for key in keys if key in document}


def answer(verdict):
    """A verdict or the verdict on bursts of loss."""
    return {**picked(verdict, ("limit", "cause")), "confident": verdict["confidence_ratio"] >= CONFIDENT,
            "candidates": verdict.get("candidates", [])}


def side(document):
    """What is kept of a SIDE (a direction of a connection)."""
    kept = {}
    if "goodput_bps" in document:
        kept["goodput_bps"] = rounded(document["goodput_bps"])
    if "verdict" in document:
        kept["verdict"] = answer(document["verdict"])
    if "next_limit" in document:
        kept["next_limit"] = {"method": document["next_limit"]["method"],
                              "rate_bps": rounded(document["next_limit"].get("rate_bps"))}
    kept["applying_bounds"] = sorted({bound["model"] for bound in document.get("bounds", []) if bound["applies"]})
    kept["findings"] = sorted({finding["rule"] for finding in document.get("findings", [])})
    return kept


def captured_direction(document):
    kept = picked(document, CAPTURED_COUNTS)
    kept.update(side(document))
    if "exchanges" in document:
        kept["exchanges"] = {key: rounded(document["exchanges"][key])
                             for key in ("count", "client_s", "network_s", "server_s", "response_max_us")}
    if "loss" in document:
        kept["loss"] = picked(document["loss"], ("events", "lost_packets"))
        if "burst_verdict" in document["loss"]:
            kept["loss"]["burst_verdict"] = answer(document["loss"]["burst_verdict"])
    return kept


def captured_connection(document):
    kept = picked(document, ("local", "remote", "handshake_seen", "vantage"))
    kept["directions"] = [captured_direction(direction) for direction in document["directions"]]
    return kept


def recorded_connection(document):
    kept = picked(document, ("local", "remote", "state", "congestion_control", "options"))
    kept["metrics"] = picked(document.get("metrics", {}), COUNTERS)
    if "verdict" in document:
        kept["verdict"] = answer(document["verdict"])
    for name in ("sending", "receiving"):
        if name in document:
            kept[name] = side(document[name])
    return kept


def kept_gaps(document):
    return sorted([gap["kind"], gap["count"]] for gap in document["gaps"])


def by_addresses(connections):
    return sorted(connections, key=lambda connection: (connection["local"], connection["remote"]))


def report(cli, path):
    """The command of tcpscope-cli that suits the file, and what it printed."""
    command = [cli, "diagnose", "--json", "--no-resolve", "--no-path-book", "--from", path] \
        if path.endswith(".tcpscope") else [cli, "analyze", "--json", path]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=50, check=False,
                         env={**os.environ, "TZ": "UTC", "LC_ALL": "C.UTF-8"})
    if ran.returncode != 0 or not ran.stdout:
        raise RuntimeError(f"{' '.join(command)} ended with {ran.returncode}: {ran.stderr.strip()}")
    return json.loads(ran.stdout)


def kept(document):
    """What expected.json holds of a document of tcpscope-cli."""
    connection = captured_connection if document["schema"] == "tcpscope.capture" else recorded_connection
    return {"schema": document["schema"], "gaps": kept_gaps(document),
            "connections": by_addresses([connection(each) for each in document["connections"]])}


def differences(expected, found, where=""):
    """A line for each value that differs, with its place in the document."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted(expected.keys() | found.keys()):
            yield from differences(expected.get(key), found.get(key), f"{where}.{key}" if where else key)
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found) and \
            all(isinstance(item, dict) for item in expected + found):
        for number, pair in enumerate(zip(expected, found)):
            yield from differences(*pair, f"{where}[{number}]")
    elif expected != found:
        yield f"{where}: expected {json.dumps(expected)}, found {json.dumps(found)}"


def read_expected(case):
    with open(os.path.join(case, "expected.json"), encoding="utf-8") as file:
        return json.load(file)


def write_expected(case, document):
    with open(os.path.join(case, "expected.json"), "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1)
        file.write("\n")


def compare(cli, case):
    expected = read_expected(case)
    path = os.path.join(case, expected.pop("input"))
    return list(differences(expected, json.loads(json.dumps(kept(report(cli, path))))))


def update(cli, case):
    name = read_expected(case)["input"]
    write_expected(case, {"input": name, **kept(report(cli, os.path.join(case, name)))})


def add(cli, case, path, why):
    """`path` is stored relative to the case: a file inside it, or one that other tests use as well."""
    tests = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    if os.path.commonpath([tests, os.path.abspath(path)]) != tests:
        raise SystemExit(f"{path} lies outside {tests}, where no other checkout finds it; copy it into {case} first")
    os.makedirs(case, exist_ok=True)
    with open(os.path.join(case, "README.md"), "w", encoding="utf-8") as file:
        file.write(why + "\n")
    write_expected(case, {"input": os.path.relpath(path, case)})
    update(cli, case)


def main(arguments):
    if arguments[:1] == ["--add"] and len(arguments) == 5:
        add(*arguments[1:])
        return 0
    is_update = arguments[:1] == ["--update"]
    arguments = arguments[is_update:]
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    failed = False
    cli, cases = arguments[0], arguments[1:]
    for case in cases:
        if is_update:
            update(cli, case)
            continue
        for line in compare(cli, case):
            print(f"{os.path.basename(os.path.normpath(case))}: {line}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
