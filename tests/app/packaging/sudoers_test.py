"""The sudoers lines of the README are what visudo accepts, and name no command that writes a file of the caller's choice.

    sudoers_test.py README.md

That they allow exactly what tcpscope sends to other hosts, tests/app/changes/sudoers_line_test.cpp checks.
"""

import re
import shutil
import subprocess
import sys
import tempfile


def sudoers_lines(readme):
    blocks = re.findall(r"^```sudoers\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    if len(blocks) != 1:
        raise ValueError(f"{len(blocks)} blocks of sudoers lines in the README")
    return blocks[0]


def faults(lines):
    found = []
    commands = re.findall(r"/usr/bin/tcpscope-cli(.*?)(?:, \\)?$", lines, re.MULTILINE)
    if not commands:
        found.append("no command of tcpscope-cli")
    for arguments in commands:
        if not re.fullmatch(r" \^.*\$", arguments):
            found.append(f"not a regular expression over all arguments: '{arguments}'")
    visudo = shutil.which("visudo", path="/usr/sbin:/usr/bin:/sbin:/bin")
    if visudo is None:
        print("visudo is not installed: the syntax is not checked")
        return found
    with tempfile.NamedTemporaryFile("w", suffix=".sudoers") as file:
        file.write(lines)
        file.flush()
        checked = subprocess.run([visudo, "-c", "-f", file.name], capture_output=True, text=True, check=False)
        if checked.returncode != 0:
            found.append(f"visudo: {checked.stdout}{checked.stderr}")
    return found


def main(words):
    with open(words[0], encoding="utf-8") as file:
        lines = sudoers_lines(file.read())
    found = faults(lines)
    # The checks themselves find what must not stand there.
    for wrong in ("/usr/bin/tcpscope-cli apply *\n", "/usr/bin/tcpscope-cli\n"):
        if not faults("Cmnd_Alias TCPSCOPE = " + wrong):
            found.append(f"not found to be unsafe: {wrong}")
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
