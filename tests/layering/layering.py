"""Keeps the layers: which folder may include what, what core may not touch, and how the tree is laid out.

findings(files) is pure: from {path: text} to one line for each fault; layers.txt among the files is the table of allowed
includes. Run as a program it reads the project's files (those that git knows, else those on disk) and fails when there
is a fault.
"""

import os
import re
import subprocess
import sys

TOP_LEVEL = {"app", "core", "collectors", "ui", "tests", "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md"}
LAYERS = ("core", "collectors", "ui", "app")
TABLE = "tests/layering/layers.txt"
# Built where there is no Qt: the command line, the agent and what they link.
WITH_QT = ("ui/", "app/desktop/")
LONGEST_FILE = 500

# Of what is not the standard library, core may use these. inet_ntop() is text for an address, not the network.
CORE_LIBRARIES = re.compile(r"(fmt/|tl/|boost/math/|nlohmann/|rapidjson/|arpa/inet\.h$)")
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


def table_of(text):
    """{folder: folders it may include} of the table's rows."""
    rows = {}
    for line in text.splitlines():
        folder, colon, allowed = line.partition(":")
        if colon and not line.startswith("#"):
            rows[folder.strip()] = allowed.split()
    return rows


def is_below(folder, ancestor):
    return folder == ancestor or folder.startswith(ancestor + "/")


def row_of(folder, table):
    """The row that speaks for a folder: its own, or that of the nearest folder above it; None without one."""
    while folder and folder not in table:
        folder = folder.rpartition("/")[0]
    return folder or None


def may_include(row, target, table):
    return any(is_below(target, allowed) for allowed in (row, *table[row]))


def include_findings(path, text, table):
    folder = os.path.dirname(path)
    layer = path.split("/")[0]
    row = row_of(folder, table)
    for quote, header in INCLUDE.findall(text):
        target = os.path.dirname(header)
        if quote == '"' and header.split("/")[0] in {*LAYERS, "tests"}:
            if layer in LAYERS and row and not may_include(row, target, table):
                yield f"{path}: includes {header}, but {row} may not include {target}"
        elif is_qt(header):
            if layer in LAYERS and not path.startswith(WITH_QT):
                yield f"{path}: includes {header}, but is built where there is no Qt"
        elif quote == '"':
            if layer in LAYERS:
                yield f'{path}: includes "{header}", which is not named from the top of the tree'
        elif layer == "core":
            foreign = "." in header or "/" in header
            if (foreign and not CORE_LIBRARIES.match(header)) or header in CORE_FORBIDDEN_HEADERS:
                yield f"{path}: includes <{header}>, which core does without"
            elif header.startswith(("nlohmann/", "rapidjson/")) and not path.startswith("core/present/json/"):
                yield f"{path}: includes <{header}>, which in core only core/present/json does"


def cycles(edges):
    """Groups of nodes that reach each other (Tarjan's strongly connected components of more than one node)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for target in sorted(edges.get(node, ())):
            if target not in index:
                visit(target)
                low[node] = min(low[node], low[target])
            elif target in stack:
                low[node] = min(low[node], index[target])
        if low[node] == index[node]:
            group = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(group) > 1:
                found.append(sorted(group))

    for node in sorted(edges):
        if node not in index:
            visit(node)
    return found


def folder_cycle_findings(files):
    """Folders that include each other, directly or by way of others, at each depth of the tree."""
    includes = {}
    for path, text in files.items():
        if path.endswith((".h", ".cpp")) and path.split("/")[0] in LAYERS:
            for quote, header in INCLUDE.findall(text):
                if quote == '"' and header.split("/")[0] in LAYERS:
                    includes.setdefault(os.path.dirname(path), {}).setdefault(os.path.dirname(header), f"{path} includes {header}")
    seen = set()
    for depth in range(1, 6):
        edges = {}
        for source, targets in includes.items():
            short = "/".join(source.split("/")[:depth])
            edges.setdefault(short, set()).update("/".join(target.split("/")[:depth]) for target in targets)
        for group in cycles({node: targets - {node} for node, targets in edges.items()}):
            if tuple(group) not in seen:
                seen.add(tuple(group))
                yield f"{', '.join(group)}: include each other"


LIBRARY = re.compile(r"(?:tcpscope_library|target_link_libraries)\s*\(\s*([\w-]+)([^)]*)\)")


def library_cycle_findings(files):
    """Libraries of ours that link each other."""
    edges = {}
    for path, text in files.items():
        if path.endswith("CMakeLists.txt") and path.split("/")[0] in LAYERS:
            for name, linked in LIBRARY.findall(re.sub(r"#[^\n]*", "", text)):
                edges.setdefault(name, set()).update(word for word in linked.split() if word.startswith("tcpscope_"))
    for group in cycles(edges):
        yield f"{', '.join(group)}: link each other"


def table_findings(files, table):
    """Folders of sources that the table does not know, rows for folders that are gone, and a table with a cycle in it."""
    if TABLE not in files:
        return
    sources = {os.path.dirname(path) for path in files
               if path.endswith((".h", ".cpp")) and path.split("/")[0] in LAYERS}
    for folder in sorted(sources):
        if row_of(folder, table) is None:
            yield f"{folder}: has no row in {TABLE}"
    for row, allowed in table.items():
        for folder in (row, *allowed):
            if not any(is_below(source, folder) for source in sources):
                yield f"{TABLE}: names {folder}, which has no sources"


def code_findings(path, text):
    code = without_comments_and_strings(text)
    if path.startswith("core/") and path not in MAY_PRINT:
        for pattern, what in CORE_FORBIDDEN:
            if pattern.search(code):
                yield f"{path}: {what}, which core does not"
    if path.split("/")[0] in LAYERS and not path.startswith("app/session/") and STARTS_THREAD.search(code):
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
        if parts and parts[0] in {*LAYERS, "tests"}:
            found.update("/".join(parts[:depth]) for depth in range(1, min(len(parts), 2) + 1))
    return sorted(found)


def findings(files):
    found = []
    table = table_of(files.get(TABLE, ""))
    found.extend(table_findings(files, table))
    found.extend(folder_cycle_findings(files))
    found.extend(library_cycle_findings(files))
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
            found.extend(include_findings(path, text, table))
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
