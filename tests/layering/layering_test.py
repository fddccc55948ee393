"""The layering check finds every violation, and nothing else."""

import os
import unittest

from layering import TABLE, findings, is_below

HEADER = "// What this is for.\n#pragma once\n"


ROWS = """
core/base:
core/model: core/base
core/diagnosis: core/base core/model
core/diagnosis/rules: core/base core/diagnosis/evidence
collectors/pcap: core
ui/feed: core
app/session: core collectors
app/cli: core collectors app
app/desktop: core ui app
"""


def readmes_of(path):
    parts = path.split("/")[:-1]
    return {"/".join(parts[:depth]) + "/README.md": "" for depth in range(1, len(parts) + 1)}


def faults(path, text):
    """Faults of one file in a tree that has its READMEs and a row for the file's folder."""
    rows = {row.partition(":")[0]: row for row in ROWS.strip().splitlines()}
    folder = os.path.dirname(path)
    row = next((rows[name] for name in sorted(rows, reverse=True) if is_below(folder, name)), f"{folder}:")
    names = row.partition(":")[2].split()
    allowed = {f"{name}/any.cpp": "" for name in names}
    return tree_faults("\n".join([row, *(f"{name}:" for name in names if name != folder)]), {**allowed, path: text})


def tree_faults(table, files):
    """Faults of several files under this table, in a tree that has its READMEs."""
    readmes = {name: text for file in [*files, TABLE] for name, text in readmes_of(file).items()}
    return findings({**readmes, **files, TABLE: table})


class Includes(unittest.TestCase):
    def test_arrows_point_one_way(self):
        for path, header in [
            ("core/base/limit.cpp", "collectors/collector.h"),
            ("core/base/limit.cpp", "app/session/live_session.h"),
            ("core/base/limit.cpp", "tests/support/traffic.h"),
            ("collectors/pcap/file.cpp", "ui/feed/snapshot_feed.h"),
            ("collectors/pcap/file.cpp", "app/session/live_session.h"),
            ("ui/feed/snapshot_feed.cpp", "collectors/collector.h"),
            ("ui/feed/snapshot_feed.cpp", "app/session/live_session.h"),
            ("app/cli/main.cpp", "ui/feed/snapshot_feed.h"),
            ("core/base/units.cpp", "core/model/metric.h"),
            ("core/diagnosis/rules/rule.cpp", "core/diagnosis/verdict.h"),
        ]:
            with self.subTest(path=path, header=header):
                self.assertEqual(len(faults(path, f'#include "{header}"\n')), 1)

    def test_arrows_may_be_followed(self):
        for path, header in [
            ("core/model/metric.cpp", "core/base/units.h"),
            ("core/diagnosis/verdict.cpp", "core/diagnosis/rules/rule.h"),
            ("collectors/pcap/file.cpp", "core/base/units.h"),
            ("ui/feed/snapshot_feed.cpp", "core/base/units.h"),
            ("app/desktop/main.cpp", "ui/feed/snapshot_feed.h"),
            ("app/session/live_session.cpp", "collectors/collector.h"),
        ]:
            with self.subTest(path=path, header=header):
                self.assertEqual(faults(path, f'#include "{header}"\n'), [])

    def test_no_qt_where_there_is_none(self):
        for path in ["core/a/b.cpp", "collectors/a/b.cpp", "app/session/b.cpp", "app/cli/b.cpp"]:
            for header in ["QString", "QtCore/QString", "qcustomplot.h"]:
                with self.subTest(path=path, header=header):
                    self.assertEqual(len(faults(path, f"#include <{header}>\n")), 1)
        self.assertEqual(faults("ui/feed/a.cpp", "#include <QString>\n#include <qcustomplot.h>\n"), [])

    def test_core_uses_the_standard_library_and_three_more(self):
        for header in ["thread", "mutex", "fstream", "filesystem", "iostream", "unistd.h", "sys/socket.h", "zstd.h"]:
            with self.subTest(header=header):
                self.assertEqual(len(faults("core/a/b.cpp", f"#include <{header}>\n")), 1)
        self.assertEqual(faults("core/a/b.cpp", "#include <vector>\n#include <fmt/format.h>\n#include <cmath>\n"), [])

    def test_json_stays_in_present(self):
        for header in ["nlohmann/json.hpp", "rapidjson/writer.h"]:
            with self.subTest(header=header):
                self.assertEqual(len(faults("core/model/b.cpp", f"#include <{header}>\n")), 1)
                self.assertEqual(faults("core/present/json/b.cpp", f"#include <{header}>\n"), [])

    def test_names_start_at_the_top(self):
        self.assertEqual(len(faults("core/a/b.cpp", '#include "b.h"\n')), 1)


class Folders(unittest.TestCase):
    def test_each_has_a_row(self):
        self.assertEqual(tree_faults("core/base:", {"core/base/a.cpp": "", "core/new/a.cpp": ""}),
                         ["core/new: has no row in tests/layering/layers.txt"])

    def test_rows_and_their_names_have_sources(self):
        self.assertEqual(tree_faults("core/base:\ncore/gone: core/base", {"core/base/a.cpp": ""}),
                         ["tests/layering/layers.txt: names core/gone, which has no sources"])

    def test_none_include_each_other(self):
        table = "core/a: core/b\ncore/b: core/a"
        files = {"core/a/x.cpp": '#include "core/b/y.h"\n', "core/b/z.cpp": '#include "core/a/w.h"\n'}
        self.assertEqual(tree_faults(table, files), ["core/a, core/b: include each other"])

    def test_nor_by_way_of_a_third_or_of_folders_below(self):
        table = "core/a: core\ncore/b: core\ncore/c: core"
        files = {"core/a/x.cpp": '#include "core/b/below/y.h"\n', "core/b/z.cpp": '#include "core/c/w.h"\n',
                 "core/c/v.cpp": '#include "core/a/u.h"\n'}
        self.assertEqual(tree_faults(table, files), ["core/a, core/b, core/c: include each other"])

    def test_a_folder_and_one_below_it_neither(self):
        files = {"core/a/x.cpp": '#include "core/a/below/y.h"\n', "core/a/below/y.cpp": '#include "core/a/z.h"\n'}
        self.assertEqual(tree_faults("core/a:", files), ["core/a, core/a/below: include each other"])

    def test_libraries_do_not_link_each_other(self):
        files = {"core/a/CMakeLists.txt": "tcpscope_library(tcpscope_a PUBLIC tcpscope_b)",
                 "core/b/CMakeLists.txt": "target_link_libraries(tcpscope_b PRIVATE fmt::fmt tcpscope_a)"}
        self.assertEqual(tree_faults("", files), ["tcpscope_a, tcpscope_b: link each other"])


class Code(unittest.TestCase):
    def test_core_has_no_clock_file_environment_or_output(self):
        for line in [
            "auto t = std::chrono::steady_clock::now();", "std::ifstream in(path);", 'getenv("HOME");',
            'std::printf("x");', 'fmt::print("x");', "std::cout << 1;", "std::mutex m;", "std::jthread t(f);",
        ]:
            with self.subTest(line=line):
                self.assertEqual(len(faults("core/a/b.cpp", line)), 1)

    def test_a_sentence_about_a_clock_is_no_clock(self):
        self.assertEqual(faults("core/a/b.cpp", '// never steady_clock::now()\nauto s = "printf(";\n'), [])

    def test_only_the_session_starts_threads(self):
        for line in ["std::jthread t(f);", "std::vector<std::jthread> all;", "std::thread{f};", "QThread* t;"]:
            for path in ["collectors/a/b.cpp", "ui/a/b.cpp", "app/desktop/b.cpp", "app/cli/b.cpp"]:
                with self.subTest(path=path, line=line):
                    self.assertEqual(len(faults(path, line)), 1)
        self.assertEqual(faults("app/session/b.cpp", "std::jthread t(f);"), [])
        self.assertEqual(faults("ui/a/b.cpp", "std::this_thread::yield();"), [])


class Layout(unittest.TestCase):
    def test_top_level_is_closed(self):
        self.assertEqual(findings({"utils/a.txt": ""}), ["utils: is not one of the top level's names"])
        self.assertEqual(findings({".ci/run": "", "README.md": ""}), [])

    def test_every_folder_says_what_it_is_for(self):
        self.assertEqual(findings({"core/README.md": "", "core/a/b.cpp": ""}), ["core/a: has no README.md"])
        self.assertEqual(findings({"tests/README.md": "", "tests/core/README.md": "", "tests/core/a/b_test.cpp": ""}), [])

    def test_long_files(self):
        self.assertEqual(faults("ui/a/b.cpp", "\n" * 500), [])
        self.assertEqual(len(faults("ui/a/b.cpp", "\n" * 501)), 1)

    def test_headers_open_with_their_purpose(self):
        self.assertEqual(faults("ui/a/b.h", HEADER), [])
        self.assertEqual(len(faults("ui/a/b.h", "#pragma once\n")), 1)
        self.assertEqual(len(faults("ui/a/b.h", "// What this is for.\n")), 1)

    def test_a_name_has_one_type(self):
        def both(first, second):
            return tree_faults("core/a:\nui/a:", {"core/a/b.h": HEADER + first, "ui/a/b.h": HEADER + second})

        table = "namespace tcpscope {\nclass Table {\n};\n}\n"
        view = "namespace tcpscope {\nclass Table : public QTableView {\n};\n}\n"
        self.assertEqual(both(table, view), ["ui/a/b.h: defines Table, as core/a/b.h does"])
        self.assertEqual(both(table, view.replace("tcpscope", "tcpscope::lab")), [])
        self.assertEqual(both(table, "namespace tcpscope {\nclass Table;\nclass View {\n};\n}\n"), [])


if __name__ == "__main__":
    unittest.main()
