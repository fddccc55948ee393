"""Every command and option that a program's --help names stands in its man page, and completion in bash offers it, but for
what the system starts (section 8).

    documented_test.py PROGRAM PACKAGING_FOLDER

Works from the help texts, so that a new option without its line fails here.
"""

import functools
import glob
import os
import re
import subprocess
import sys
import unittest

PROGRAM, PACKAGING = sys.argv[1:3]
NAME = os.path.basename(PROGRAM)
OPTION = re.compile(r"^\s+(?:-\w,\s*)?(--[a-z][a-z-]*)", re.MULTILINE)
MAN_PAGE = glob.glob(os.path.join(PACKAGING, "man", NAME + ".[18]"))[0]
ENVIRONMENT = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}


@functools.cache
def help_of(*words):
    run = subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True, check=True, env=ENVIRONMENT)
    return run.stdout


def commands(*words):
    text = help_of(*words)
    if "Subcommands:" not in text:
        return []
    return re.findall(r"^  ([a-z][a-z-]*)\s", text.split("Subcommands:")[1], re.MULTILINE)


def command_lines(*words):
    """The program alone, each command, and each command of a command."""
    return [words] + [line for command in commands(*words) for line in command_lines(*words, command)]


def options_of(*words):
    return set(OPTION.findall(help_of(*words)))


def man_text():
    with open(MAN_PAGE, encoding="utf-8") as file:
        return file.read().replace("\\-", "-")


def completions(*words):
    """What bash offers behind `words`, the last of which is being typed."""
    script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
              '"$(complete -p "$1" | sed "s/.*-F \\([^ ]*\\).*/\\1/")"; printf "%s\\n" "${COMPREPLY[@]}"')
    source = os.path.join(PACKAGING, "completions", NAME)
    # Scenarios are asked of the tcpscope-cli that was built beside the program.
    built = os.path.join(os.path.dirname(PROGRAM), "..", "cli")
    run = subprocess.run(["bash", "-c", script, "bash", source, NAME, *words], capture_output=True, text=True,
                         check=True, env={**ENVIRONMENT, "PATH": built + ":" + os.environ["PATH"]})
    return set(run.stdout.split())


class Documented(unittest.TestCase):
    def test_help_is_read(self):
        self.assertIn("--help", options_of())

    def test_man_page_names_every_command_and_option(self):
        text = man_text()
        for words in command_lines():
            if words:
                self.assertRegex(text, rf"(?m)^\.B {' '.join(words)}$")
            for option in options_of(*words):
                self.assertRegex(text, rf"(?m)^\.B[IR]? .*{option}\b(?!-)", f"{words} {option}")

    def test_man_page_names_nothing_else(self):
        known = set().union(*(options_of(*words) for words in command_lines()))
        self.assertLessEqual(set(re.findall(r"(?m)^\.B[IR]? .*?(--[a-z][a-z-]*)", man_text())), known)

    @unittest.skipIf(MAN_PAGE.endswith(".8"), "it is not a command to type")
    def test_completion_offers_every_command_and_option(self):
        for words in command_lines():
            self.assertEqual(completions(*words, ""), set(commands(*words)) | options_of(*words), words)

    def test_completion_keeps_out_of_filters(self):
        if commands():
            self.assertEqual(completions(commands()[0], "--", ""), set())

    @unittest.skipIf(NAME != "tcpscope", "has no demos")
    def test_completion_offers_the_demos_that_there_are(self):
        refused = subprocess.run([PROGRAM, "--demo", "none"], capture_output=True, text=True, check=False,
                                 env=ENVIRONMENT).stderr
        there_are = set(re.findall(r"[a-z0-9_]+", refused.split("available:")[1]))
        self.assertEqual(completions("--demo", ""), there_are)

    def test_man_page_is_sound(self):
        try:
            run = subprocess.run(["man", "--warnings", "-l", "-Tutf8", MAN_PAGE],
                                 capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C.UTF-8"})
        except FileNotFoundError:
            self.skipTest("man is not installed")
        self.assertEqual(run.stderr, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
