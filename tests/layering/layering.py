"""Keeps the layers: which folder may include what, what core may not touch, and how the tree is laid out.

findings(files) is pure: from {path: text} to one line for each fault. Run as a program it reads the project's files
(those that git knows, else those on disk) and fails when there is one.
"""

import os
import re
import subprocess
import sys

TOP_LEVEL = {"app", "core", "collectors", "ui", "tests", "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md"}
MAY_INCLUDE = {
    "core": {"core"},
    "collectors": {"core", "collectors"},
    "ui": {"core", "ui"},
    "app": {"app", "core", "collectors", "ui"},
}
WITHOUT_QT = ("core/", "collectors/", "app/session/", "app/remote/", "app/store/", "app/pdf/", "app/tune/", "app/helper/", "app/cli/")
WITHOUT_UI = ("app/session/", "app/remote/", "app/store/", "app/pdf/", "app/tune/", "app/helper/", "app/cli/")
LONGEST_FILE = 500

# Of what is not the standard library, core may use these. inet_ntop() is text for an address, not the network.
CORE_LIBRARIES = re.compile(r"(fmt/|tl/|boost/math/|nlohmann/|arpa/inet\.h$)")
CORE_FORBIDDEN_HEADERS = {
    "barrier", "condition_variable", "ctime", "filesystem", "fstream", "future", "iostream", "latch", "mutex", "print",
    "semaphore", "shared_mutex", "syncstream", "thread",
}
CORE_FORBIDDEN = [
    (re.compile(r"::now\s*\("), "reads a clock"),
    (re.compile(r"\b(clock_gettime|gettimeofday|std::time)\s*\("), "reads a clock"),
    (re.compile(r"\bstd::(i|o)?fstream\b|\bfopen\s*\("), "opens a file"),
    (re.compile(r"\b(secure_)?getenv\s*\("), "reads the environment"),
    (re.compile(r"\bf?printf\s*\(|\bfmt::print\b|\bstd::c(out|err)\b|\bputs\s*\("), "prints"),
    (re.compile(r"\bstd::(mutex|shared_mutex|condition_variable|atomic)\b"), "shares state between threads"),
]
# A broken promise inside the program says so on standard error before it ends the process.
MAY_PRINT = {"core/base/invariant.cpp"}
STARTS_THREAD = re.compile(r"\bstd::(jthread|thread)\s*[({\w]|\bstd::(jthread|thread)\s*>|\bstd::async\b|"
                           r"\bpthread_create\b|\bQThread\b|\bQtConcurrent\b")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{", re.MULTILINE)
TYPE = re.compile(r"^(?:class|struct|union|enum(?: class)?) (\w+)\b(?!::)(?: final)?\s*(?::[^;{]*)?\{", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def without_comments_and_strings(text):
    """Code only, so that a sentence about a clock is no clock. Line breaks stay."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
    return pattern.sub(lambda found: "\n" * found.group().count("\n") or " ", text)


def is_qt(header):
    return re.match(r"Q[A-Z]|Qt[A-Z]|qcustomplot\.h|QtCore", header) is not None


def include_findings(path, text):
    layer = path.split("/")[0]
    for quote, header in INCLUDE.findall(text):
        target = header.split("/")[0]
        if quote == '"' and target in {*MAY_INCLUDE, "tests"}:
            if layer in MAY_INCLUDE and target not in MAY_INCLUDE[layer]:
                yield f"{path}: includes {header}, but {layer} may not know {target}"
            elif target == "ui" and path.startswith(WITHOUT_UI):
                yield f"{path}: includes {header}, but is built where there is no Qt"
        elif is_qt(header):
            if path.startswith(WITHOUT_QT):
                yield f"{path}: includes {header}, but is built where there is no Qt"
        elif quote == '"':
            if layer in MAY_INCLUDE:
                yield f'{path}: includes "{header}", which is not named from the top of the tree'
        elif layer == "core":
            foreign = "." in header or "/" in header
            if (foreign and not CORE_LIBRARIES.match(header)) or header in CORE_FORBIDDEN_HEADERS:
                yield f"{path}: includes <{header}>, which core does without"
            elif header.startswith("nlohmann/") and not path.startswith("core/report/"):
                yield f"{path}: includes <{header}>, which in core only core/report does"


def code_findings(path, text):
    code = without_comments_and_strings(text)
    if path.startswith("core/") and path not in MAY_PRINT:
        for pattern, what in CORE_FORBIDDEN:
            if pattern.search(code):
                yield f"{path}: {what}, which core does not"
    if path.split("/")[0] in MAY_INCLUDE and not path.startswith("app/session/") and STARTS_THREAD.search(code):
        yield f"{path}: has a thread, which only app/session starts"


def header_findings(path, text):
    if not re.match(r"// \S", text):
        yield f"{path}: does not open with what it is for"
    if "#pragma once" not in text:
        yield f"{path}: has no #pragma once"


def name_findings(files):
    """Two types of one name in one namespace: the linker takes the members of either for those of both."""
    homes = {}
    for path, text in sorted(files.items()):
        if not path.endswith(".h"):
            continue
        namespace = NAMESPACE.search(text)
        for name in TYPE.findall(without_comments_and_strings(text)):
            homes.setdefault((namespace.group(1) if namespace else "", name), []).append(path)
    for (_, name), paths in homes.items():
        if len(paths) > 1:
            yield f"{paths[1]}: defines {name}, as {paths[0]} does"


def folders_of(files):
    """Folders that hold files and so need a README: two levels, of which the lower one speaks for what is below it."""
    found = set()
    for path in files:
        parts = path.split("/")[:-1]
        if parts and parts[0] in {*MAY_INCLUDE, "tests"}:
            found.update("/".join(parts[:depth]) for depth in range(1, min(len(parts), 2) + 1))
    return sorted(found)


def findings(files):
    found = []
    for name in sorted({path.split("/")[0] for path in files}):
        if name not in TOP_LEVEL and not name.startswith("."):
            found.append(f"{name}: is not one of the top level's names")
    for folder in folders_of(files):
        if f"{folder}/README.md" not in files:
            found.append(f"{folder}: has no README.md")
    for path, text in sorted(files.items()):
        if path.endswith((".h", ".cpp", ".py", ".cmake", "CMakeLists.txt")) and text.count("\n") > LONGEST_FILE:
            found.append(f"{path}: is longer than {LONGEST_FILE} lines")
        if path.endswith((".h", ".cpp")):
            found.extend(include_findings(path, text))
            found.extend(code_findings(path, text))
        if path.endswith(".h"):
            found.extend(header_findings(path, text))
    found.extend(name_findings(files))
    return found


def project_files(root):
    try:
        names = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=root,
                               check=True, capture_output=True).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        names = [os.path.relpath(os.path.join(folder, name), root)
                 for folder, _, here in os.walk(root) if "/build" not in folder and "/.git" not in folder
                 for name in here]
    files = {}
    for name in names:
        path = os.path.join(root, name)
        if name and os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                files[name] = file.read()
    return files


if __name__ == "__main__":
    FOUND = findings(project_files(sys.argv[1]))
    print("\n".join(FOUND) or "The layers hold.")
    sys.exit(1 if FOUND else 0)
