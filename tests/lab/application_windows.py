#!/usr/bin/env python3
"""How large windows of an application's protocol are found to be, over the emulated path.

    application_windows.py TCPSCOPE_CLI

Windows of 64 KiB to 4 MiB over RTTs of 10 to 150 ms, as far as the path can carry them, each recorded at the sender for some
seconds. Ends with 1 where one is not named, or its size is found more than 15 % off.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

KIB = 1024
WITHIN = 0.15
# A slow start whose sender is limited by its application takes tens of RTTs; the verdict is of what comes after it.
RECORDED_RTTS = 130
FEWEST_RECORDED_S = 8
# What the path can carry on small machines.
HIGHEST_BPS = 300e6
REQUESTS = 16
RTTS_MS = (10, 25, 50, 80, 150)
WINDOWS_KIB = (64, 128, 256, 512, 1024, 2048, 4096)

# No right for a lab, or no means.
CANNOT = (3, 5)
SKIPPED = 77

SCENARIO = """name = application_window_found
title = A window of {window_kib} KiB over {rtt_ms} ms
story = Made by a test.

[path]
rate = {rate_mbps} Mbit/s
delay = {rtt_ms} ms
queue = 4 MB

[host sender]
side = left
net.ipv4.tcp_wmem = 4096 16384 33554432

[host receiver]
side = right
net.ipv4.tcp_rmem = 4096 131072 33554432

[traffic main]
from = sender
to = receiver
kind = request_response
write_size = {write_bytes} B
requests_in_flight = {requests}
read_size = 36 B
no_delay = yes
"""


def cases():
    for window_kib in WINDOWS_KIB:
        for rtt_ms in RTTS_MS:
            needed_bps = 8 * window_kib * KIB / (rtt_ms / 1e3)
            if needed_bps <= HIGHEST_BPS:
                yield window_kib, rtt_ms, needed_bps


def window_found(program, window_kib, rtt_ms, needed_bps, folder):
    """Size in bytes and confidence; nothing where another cause is named."""
    scenario = folder / "window.scenario"
    scenario.write_text(SCENARIO.format(window_kib=window_kib, rtt_ms=rtt_ms, rate_mbps=max(20, round(2 * needed_bps / 1e6)),
                                        write_bytes=window_kib * KIB // REQUESTS, requests=REQUESTS))
    recorded_s = max(FEWEST_RECORDED_S, round(RECORDED_RTTS * rtt_ms / 1e3))
    done = subprocess.run([program, "lab", "record", scenario, "-o", folder, "--for", str(recorded_s)], capture_output=True,
                          text=True, check=False)
    if done.returncode in CANNOT:
        print("skipped:", done.stderr.strip())
        sys.exit(SKIPPED)
    if done.returncode != 0:
        sys.exit(done.stderr.strip())
    recording = next(folder.glob("*sender*.tcpscope"))
    found = json.loads(subprocess.run([program, "diagnose", "--json", "--from", recording], stdout=subprocess.PIPE,
                                      check=True).stdout)
    sides = [side for one in found["connections"] if (side := one.get("sending"))]
    if not sides:
        print("    no connection was recorded")
        return None
    main = max(sides, key=lambda side: side.get("goodput_bps", 0))
    for finding in main.get("findings", []):
        for figure in finding["evidence"]:
            if figure["metric"] == "application_window_bytes":
                return figure["value"], main["verdict"]["confidence_ratio"]
    print(f"    {main['verdict']['limit']}/{main['verdict']['cause']}: {main['verdict']['text']}")
    return None


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    right = all_cases = 0
    for window_kib, rtt_ms, needed_bps in cases():
        with tempfile.TemporaryDirectory() as folder:
            found = window_found(program, window_kib, rtt_ms, needed_bps, pathlib.Path(folder))
        all_cases += 1
        if found is None:
            print(f"{window_kib:>5} KiB over {rtt_ms:>3} ms: not named")
            continue
        size, confidence = found
        error = size / (window_kib * KIB) - 1
        right += abs(error) <= WITHIN
        print(f"{window_kib:>5} KiB over {rtt_ms:>3} ms: {size / KIB:.0f} KiB ({error:+.1%}), confidence {confidence:.2f}")
    print(f"{right} of {all_cases} within {WITHIN:.0%}")
    return 0 if right == all_cases else 1


if __name__ == "__main__":
    sys.exit(main())
