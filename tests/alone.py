"""Reads each source file of some folders alone, as an everyday edit or a packager without groups compiles it.

    alone.py BUILD JOBS FOLDER…

Other presets compile many files as one, where a file may live from what another includes. Nothing is generated: the compiler
checks the syntax and warns. BUILD has compile_commands.json and precompiled headers.
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys


def check(entry):
    """What the compiler has against the file, empty where it has nothing."""
    words = shlex.split(entry["command"])
    output = words.index("-o")
    del words[output : output + 2]
    run = subprocess.run([*words, "-fsyntax-only"], cwd=entry["directory"], capture_output=True, text=True, check=False)
    return run.stderr if run.returncode else ""


def main():
    build, jobs = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    root = pathlib.Path(__file__).resolve().parent.parent
    folders = [str(root / folder) + os.sep for folder in sys.argv[3:]]
    entries = {one["file"]: one for one in json.loads((build / "compile_commands.json").read_text())}
    entries = [one for name, one in sorted(entries.items()) if name.startswith(tuple(folders))]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        faults = [fault for fault in pool.map(check, entries) if fault]
    print("\n".join(faults), end="")
    print(f"{len(entries)} files alone, {len(faults)} with a fault.")
    return 1 if faults or not entries else 0


if __name__ == "__main__":
    sys.exit(main())
