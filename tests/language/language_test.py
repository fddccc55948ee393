"""The check of the language finds what it is meant to find, and nothing else."""

import unittest

from language import findings
from turns import ALLOWED


def faults(text, path="core/base/any.cpp"):
    return findings({path: text})


class Prose(unittest.TestCase):
    def test_turns_in_comments(self):
        for comment in [
            "what the kernel told us", "tells what it knows", "what became of it", "whoever asks", "nobody asks", "each look",
            "between two looks", "known of before", "begins anew", "is thrown away", "was sent again", "stands in the way",
            "puts it right", "lets it go", "by itself", "when it is not there", "comes to 5 bytes", "for want of memory",
            "the path is full", "a round trip later", "held back by the window",
        ]:
            self.assertEqual(len(faults(f"// {comment}.\n")), 1, comment)

    def test_turns_across_lines(self):
        self.assertEqual(len(faults("// What was sent\n// again.\n")), 1)
        self.assertEqual(len(faults('f("was sent "\n  "again");\n')), 1)
        self.assertEqual(faults('// was sent\nint x;\n// again\n'), [])

    def test_turns_with_a_mnemonic(self):
        self.assertEqual(len(faults('f("What was sent a&gain");\n')), 1)
        self.assertEqual(len(faults('f("&Sending");\n')), 1)

    def test_the_line_is_named(self):
        self.assertIn("core/base/any.cpp:3:", faults("int a;\n\n// nobody\n")[0])

    def test_documents(self):
        for path in ["README.md", "app/packaging/man/tcpscope.1", "app/lab/scenario/scenarios/a.scenario", "app/CMakeLists.txt"]:
            self.assertEqual(len(faults("What was sent again.\n", path)), 1, path)

    def test_fine_sentences(self):
        for sentence in [
            "Press Alt+tab in the table", "look up the address", "it looks like IPv6", "a look-up table", "see QLookAndFeel",
            "the round-trip time", "there is a queue", "come to rest", "wish to continue", "the other end closed first",
            "Is there a peer?", "put right after the header",
        ]:
            self.assertEqual(faults(f"// {sentence}.\n"), [], sentence)


class Names(unittest.TestCase):
    def test_identifiers(self):
        for name in ["isTold", "CaptureWish", "sessionLooks", "sent_again", "otherEnd", "RoundTrip", "tellEnd", "kPatience"]:
            self.assertEqual(len(faults(f"int {name} = 1;\n")), 1, name)

    def test_fine_identifiers(self):
        for name in ["tellg", "lookUp", "lookup", "QLookAndFeel", "tablet", "roundTripTime", "swish", "looksLike", "sign"]:
            self.assertEqual(faults(f"int {name} = 1;\n"), [], name)

    def test_names_of_tests_and_files(self):
        self.assertEqual(len(faults("TEST(Window, IsToldOnce) {}\n")), 1)
        self.assertEqual(len(faults("", "core/base/told.h")), 1)

    def test_an_include_is_the_files_fault(self):
        self.assertEqual(faults('#include "core/base/told.h"\n'), [])

    def test_keys_stay(self):
        self.assertEqual(faults('f("sent_again", "path.is_told");\n'), [])


class Titles(unittest.TestCase):
    def test_whole_strings(self):
        for title in ["Sending", "Began", "Lasted", "Place", "Round trip", "Sent again"]:
            self.assertTrue(faults(f'f("{title}");\n'), title)

    def test_words_in_sentences_and_keys(self):
        for text in ["Sending stopped", "sending", "place", "The sender began to probe"]:
            self.assertEqual(faults(f'f("{text}");\n'), [], text)


class AllowList(unittest.TestCase):
    def test_it_is_short_and_has_reasons(self):
        self.assertLessEqual(len(ALLOWED), 10)
        self.assertTrue(all(reason for _, _, reason in ALLOWED))


if __name__ == "__main__":
    unittest.main()
