"""The comparison of golden cases reports what differs, and only that."""

import unittest

from golden import differences, kept, rounded


def capture(**direction):
    return {"schema": "tcpscope.capture", "gaps": [], "connections": [
        {"local": "192.0.2.1:1", "remote": "192.0.2.2:2", "vantage": "sender", "directions": [direction]}]}


def verdict(limit, confidence):
    return {"limit": limit, "cause": "unknown", "confidence_ratio": confidence, "text": "a sentence", "evidence": []}


class Differences(unittest.TestCase):
    def test_none_between_equal_documents(self):
        self.assertEqual([], list(differences(kept(capture(packets=3)), kept(capture(packets=3)))))

    def test_name_the_place_and_both_values(self):
        self.assertEqual(["connections[0].directions[0].packets: expected 3, found 4"],
                         list(differences(kept(capture(packets=3)), kept(capture(packets=4)))))

    def test_show_a_key_that_is_missing_on_one_side(self):
        self.assertEqual(["a: expected 1, found null"], list(differences({"a": 1}, {})))
        self.assertEqual(["a: expected null, found 1"], list(differences({}, {"a": 1})))

    def test_show_a_missing_connection(self):
        expected = kept(capture(packets=3))
        found = {**expected, "connections": []}
        self.assertEqual(1, len(list(differences(expected, found))))

    def test_cover_the_limit_but_not_digits_of_the_confidence_or_the_sentence(self):
        expected = kept(capture(verdict=verdict("network", 0.91)))
        self.assertEqual([], list(differences(expected, kept(capture(verdict=verdict("network", 0.83))))))
        self.assertEqual(["connections[0].directions[0].verdict.confident: expected true, found false"],
                         list(differences(expected, kept(capture(verdict=verdict("network", 0.79))))))
        self.assertEqual(['connections[0].directions[0].verdict.limit: expected "network", found "receiver"'],
                         list(differences(expected, kept(capture(verdict=verdict("receiver", 0.91))))))

    def test_ignore_digits_of_a_rate_behind_the_second(self):
        self.assertEqual(rounded(12_840_000.5), rounded(12_799_999))
        self.assertNotEqual(rounded(12_840_000), rounded(14_000_000))
        self.assertEqual("unlimited", rounded("unlimited"))


if __name__ == "__main__":
    unittest.main()
