"""campaign with fuzzers that only print: the table, the exit code, and what is kept in the corpus."""
import hashlib
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

CAMPAIGN = pathlib.Path(__file__).with_name("campaign")
# Takes the last two folders of a search or of a merge as libFuzzer does.
FUZZER = """#!/bin/sh
for argument; do
  case "$argument" in
    -merge=1) merge=1 ;;
    -*) ;;
    *) first=${first:-$argument}; last=$argument ;;
  esac
done
if [ -n "${merge:-}" ]; then
  cp "$last"/* "$first"
  exit 0
fi
case "$first" in
  *timeout-once) exit 0 ;;
  *timeout-*) exit 70 ;;
esac
for input in INPUTS; do
  printf "$input" >"$first/$(printf "$input" | sha1sum | cut -c1-40)"
done
cat >fuzz-0.log <<END
stat::number_of_executed_units: 1000
stat::slowest_unit_time_sec:    2
stat::peak_rss_mb:              40
END
sed 's/1000/500/; s/2$/3/' fuzz-0.log >fuzz-1.log
REST
"""


class CampaignTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        self.corpus = self.root / "corpus"

    def add_fuzzer(self, name, inputs="a bc", rest=""):
        path = self.root / "build/tests/fuzz" / f"{name}_fuzzer"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FUZZER.replace("INPUTS", inputs).replace("REST", rest))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        (self.corpus / name).mkdir(parents=True)
        (self.corpus / name / "seed").write_text("seed")

    def run_campaign(self):
        return subprocess.run([CAMPAIGN, "0.001", "--build", self.root / "build", "--corpus", self.corpus],
                              capture_output=True, text=True, check=False)

    def names(self, fuzzer):
        return {file.name for file in (self.corpus / fuzzer).iterdir()}

    def test_sums_up_what_all_jobs_did(self):
        self.add_fuzzer("one")
        self.add_fuzzer("two")
        result = self.run_campaign()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        lines = [line.split() for line in result.stdout.splitlines()]
        self.assertIn(["one", "1,500", "3", "40"], lines)
        self.assertIn(["in", "all", "3,000", "3", "40"], lines)

    def test_keeps_seeds_and_adds_what_is_new(self):
        self.add_fuzzer("one")
        old = hashlib.sha1(b"old").hexdigest()
        (self.corpus / "one" / old).write_text("old")
        self.run_campaign()
        new = {hashlib.sha1(text).hexdigest() for text in (b"a", b"bc")}
        self.assertEqual(self.names("one"), {"seed"} | new)

    def test_adds_no_more_than_its_share(self):
        self.add_fuzzer("one", inputs="a $(printf %03000000d 0)")
        self.run_campaign()
        self.assertEqual(self.names("one"), {"seed", hashlib.sha1(b"a").hexdigest()})

    def test_a_crash_ends_it_with_1_and_the_path_of_the_input(self):
        self.add_fuzzer("one", rest="echo Test unit written to /somewhere/crash-1 >>fuzz-1.log; exit 1")
        self.add_fuzzer("two")
        result = self.run_campaign()
        self.assertEqual(result.returncode, 1)
        self.assertIn("one: /somewhere/crash-1", result.stdout)
        self.assertIn("two ", result.stdout, "the others are still tried")

    def test_a_slow_input_is_no_crash(self):
        self.add_fuzzer("one", rest="echo Test unit written to /somewhere/slow-unit-1 >>fuzz-1.log")
        self.assertEqual(self.run_campaign().returncode, 0)

    def test_an_input_that_hangs_only_once_is_no_hang(self):
        report = "echo Test unit written to /somewhere/timeout-{} >>fuzz-1.log; exit 1"
        self.add_fuzzer("one", rest=report.format("once"))
        self.assertEqual(self.run_campaign().returncode, 0)
        self.add_fuzzer("two", rest=report.format("always"))
        result = self.run_campaign()
        self.assertEqual(result.returncode, 1)
        self.assertIn("two: /somewhere/timeout-always", result.stdout)
        self.assertNotIn("timeout-once", result.stdout)

    def test_without_fuzzers_it_fails(self):
        self.assertNotEqual(self.run_campaign().returncode, 0)


if __name__ == "__main__":
    sys.exit(unittest.main())
