"""Keeps the language: no turn that LANGUAGE forbids in comments, strings, names, documents and titles.

findings(files) is pure: from {path: text} to one line for each fault. turns.py holds what is forbidden. Run as a program
with the project's folder it reads the files that git knows and fails when there is a fault;
`language.py --list FOLDER…` prints the faults below those folders, file by file, and how many there are.
"""

import functools
import os
import re
import subprocess
import sys

from turns import ALLOWED, NAMES, PROSE, TITLES, Turns

C_LIKE = (".cpp", ".h", ".cpp.in", ".h.in")
DOCUMENTS = (".md", ".1", ".8", ".scenario", ".txt", ".cmake", ".xml", ".desktop", ".conf", ".policy", ".service.in", ".schema.json")
SCRIPTS = (".py", "/run", "/soak", "/search", "/build-packages", "/install-dependencies", "/run-captures", "/tcpscope-cli", "/tcpscope")
# Data that stands for itself, and this check, which holds what it forbids.
SKIPPED = ("LICENSE", "tests/data/", "tests/fuzz/corpus/", "tests/language/", "tests/golden/")

PROSE_TURNS, NAME_TURNS, TITLE_TURNS = Turns(PROSE), Turns(NAMES), Turns(TITLES)
TOKEN = re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<raw>R"(?P<tag>\w*)\(.*?\)(?P=tag)")|'
                   r'(?P<string>"(?:\\.|[^"\\\n])*")|(?P<character>\'(?:\\.|[^\'\\\n])\')|'
                   r"(?P<include>^[ \t]*#[ \t]*include[^\n]*)", re.DOTALL | re.MULTILINE)
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")
# A key of JSON, a metric's or a file's name: fixed elsewhere.
KEY = re.compile(r"[a-z0-9]*[_./][\w./:-]*\Z")
# Qt underlines the letter behind it: "Sent &again".
MNEMONIC = re.compile(r"&(?=\w)")
GAP = re.compile("\0+")
CODE_SPAN = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def blanked(text):
    """As many blanks as the text has characters; line breaks stay."""
    return re.sub(r"[^\n]", " ", text)


def parts_of_code(text):
    """(code, comments, strings, literals): three texts as long as the source, each with the rest blanked.

    Comments that follow each other are one text, and so are neighbouring string literals; a NUL stands between others.
    """
    code, comments, strings, literals, end = [], [], [], [], 0
    for token in TOKEN.finditer(text):
        between = text[end:token.start()]
        gap = blanked(between) if not between.strip() else "\0" * len(between)
        gap = "".join(new if old != "\n" else old for new, old in zip(gap, between))
        code.append(between)
        whole = token.group()
        code.append(blanked(whole))
        comment = string = "\0" + "\0" * (len(whole) - 1)
        if token["comment"]:
            comment = re.sub(r"^(//+|/\*)|\*/$|^\s*\*|\n\s*\*", lambda found: blanked(found.group()), whole)
            string = blanked(whole)
        elif token["string"] or token["raw"]:
            body = whole[1:-1] if token["string"] else whole
            plain = MNEMONIC.sub("", body)
            body = plain + "\0" * (len(body) - len(plain))
            string = " " + body + " " if token["string"] else body
            string = string.replace("\\n", "\0\0")
            if KEY.match(body):
                string = "\0" * len(whole)
            else:
                literals.append((token.start(), body))
        strings.append(gap + string)
        comments.append(gap + comment)
        end = token.end()
    rest = text[end:]
    code.append(rest)
    return "".join(code), "".join(comments), "".join(strings), literals


def words_of(name):
    return " ".join(WORD.findall(name))


@functools.cache
def forbidden_name(name):
    """What to write instead of a name; None when it is fine."""
    words = words_of(name)
    return next((use for pattern, use in NAME_TURNS.each if pattern.search(words)), None)


class Faults:
    """Gathers the faults of one file; a turn is named once a line."""

    def __init__(self, path, text):
        self.path, self.text, self.found, self.named = path, text, {}, set()

    def add(self, offset, what, use):
        line = self.text.count("\n", 0, offset) + 1
        what = " ".join(what.split())
        if not any(self.path.startswith(place) and what.lower() == turn for place, turn, _ in ALLOWED):
            self.found.setdefault((line, what.lower()), f'{self.path}:{line}: "{what}": {use}')

    def search(self, turns, text):
        # Most of a source file is neither comment nor string.
        if turns.any.search(GAP.sub("\0", text)):
            for pattern, use in turns.each:
                for hit in pattern.finditer(text):
                    self.add(hit.start(), hit.group(), use)

    def names(self, code):
        for name in IDENTIFIER.finditer(code):
            use = forbidden_name(name.group())
            if use and (use, name.group()) not in self.named:
                self.named.add((use, name.group()))
                self.add(name.start(), name.group(), use)

    def titles(self, literals):
        for offset, body in literals:
            if body[:1].isupper():
                for pattern, use in TITLE_TURNS.each:
                    if pattern.fullmatch(body.strip("\0 ").rstrip(":")):
                        self.add(offset, body, f"title: {use}")

    def lines(self):
        return [self.found[key] for key in sorted(self.found)]


def file_findings(path, text):
    faults = Faults(path, text)
    name = os.path.basename(path).split(".")[0]
    if forbidden_name(name):
        faults.add(0, name, f"file name: {forbidden_name(name)}")
    if path.endswith(C_LIKE):
        code, comments, strings, literals = parts_of_code(text)
        faults.search(PROSE_TURNS, comments)
        faults.search(PROSE_TURNS, strings)
        faults.names(code)
        faults.titles(literals)
    elif path.endswith(".md"):
        faults.search(PROSE_TURNS, CODE_SPAN.sub(lambda found: blanked(found.group()), text))
    elif path.endswith(DOCUMENTS + SCRIPTS):
        # A comment's mark between two lines is no word.
        faults.search(PROSE_TURNS, re.sub(r"^[ \t]*#+", lambda found: blanked(found.group()), text, flags=re.MULTILINE))
    if path.endswith(".py"):
        faults.names(text)
    return faults.lines()


def findings(files):
    return [line for path in sorted(files) if not path.startswith(SKIPPED) for line in file_findings(path, files[path])]


def project_files(root):
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=True).stdout.decode()
    files = {}
    for path in filter(None, listed.split("\0")):
        if not os.path.isfile(os.path.join(root, path)) or not path.endswith(C_LIKE + DOCUMENTS + SCRIPTS):
            continue
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            files[path] = file.read()
    return files


def listing(root, folders):
    faults = findings({path: text for path, text in project_files(root).items() if path.startswith(tuple(folders))})
    for line in faults:
        print(line)
    print(f"{len(faults)} faults in {len({line.split(':')[0] for line in faults})} files")
    return 0


def main(arguments):
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if arguments[:1] == ["--list"]:
        return listing(here, arguments[1:] or [""])
    faults = findings(project_files(arguments[0] if arguments else here))
    for line in faults:
        print(line)
    return 1 if faults or len(ALLOWED) > 10 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
