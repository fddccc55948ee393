// Two readings of a program, and what they say.
#include "core/host/process_checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/present/json/checkup_document.h"
#include "core/present/text/checkup_text.h"
#include "tests/support/json_schema.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

ThreadReading thread(std::uint32_t id, const char* name) {
  ThreadReading one{id, UntrustedText(name), 100s};
  one.waitedForProcessor = 1s;
  one.waitedForDisk = 0s;
  return one;
}

/// A server with two threads.
ProcessReading program() {
  ProcessReading process;
  process.pid = 4711;
  process.name = UntrustedText("server");
  process.begun = 100s;
  process.threads = {thread(4711, "server"), thread(4712, "worker")};
  process.writes = WriteCounters{1000, 1'000'000};
  return process;
}

/// After two seconds in which it did nothing.
ProcessReading later() {
  ProcessReading process = program();
  process.at = process.at + 2s;
  return process;
}

CheckRow rowOf(CheckId id, const Reported<ProcessReading>& before, const Reported<ProcessReading>& after) {
  const std::vector<CheckRow> rows = checkUpProcess(before, after);
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const CheckRow& row) { return row.id == id; });
  EXPECT_NE(found, rows.end()) << name(id);
  return found == rows.end() ? CheckRow() : *found;
}

TEST(ProcessChecks, NameTheProgramInALayerOfItsOwn) {
  const std::vector<CheckRow> rows = checkUpProcess(program(), later());
  ASSERT_EQ(rows.size(), 4U);
  for (const CheckRow& row : rows) {
    EXPECT_EQ(row.layer, CheckLayer::application);
    EXPECT_EQ(row.object.rawBytes(), "server");
    EXPECT_EQ(row.pid, 4711U);
    EXPECT_NE(row.status, CheckStatus::warn) << name(row.id);
  }
}

TEST(ProcessChecks, WarnOfOneThreadThatComputesWhileTheOthersIdle) {
  ProcessReading after = later();
  after.threads[1].ran += 1900ms;
  const CheckRow row = rowOf(CheckId::oneThread, program(), after);
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_EQ(finding(row), "worker 95.0 % of the time; 1 of 2 threads busy");
  after.threads[0].ran += 1900ms;
  EXPECT_EQ(rowOf(CheckId::oneThread, program(), after).status, CheckStatus::pass) << "the work is shared";
  after.threads[0].ran = 0s;
  after.threads[1].ran = 1600ms;
  EXPECT_EQ(rowOf(CheckId::oneThread, program(), after).status, CheckStatus::pass) << "it rests now and then";
}

// A processor that it shares with another busy thread gives it half of the time.
TEST(ProcessChecks, KnowAThreadThatWouldComputeAllTheTime) {
  ProcessReading after = later();
  after.threads[1].ran += 1s;
  *after.threads[1].waitedForProcessor += 900ms;
  EXPECT_EQ(rowOf(CheckId::oneThread, program(), after).status, CheckStatus::warn);
  const CheckRow row = rowOf(CheckId::processorWait, program(), after);
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_EQ(finding(row), "worker 45.0 % of the time");
}

TEST(ProcessChecks, CountAThreadThatCameMeanwhileFromItsBeginning) {
  ProcessReading after = later();
  after.threads.push_back(thread(5000, "late"));
  after.threads.back().begun = 5000s;
  after.threads.back().ran = 1900ms;
  after.threads.back().waitedForProcessor = 0s;
  EXPECT_EQ(finding(rowOf(CheckId::oneThread, program(), after)), "late 95.0 % of the time; 1 of 3 threads busy");
  // The same number, another thread: what the first one did is not taken off.
  after.threads.back() = thread(4712, "reused");
  after.threads.back().begun = 5000s;
  after.threads.back().ran = 1900ms;
  EXPECT_THAT(finding(rowOf(CheckId::oneThread, program(), after)), HasSubstr("reused 100 %"));
}

TEST(ProcessChecks, DoNotPassThreadsThatWereNotRead) {
  ProcessReading before = program();
  before.isWhole = false;
  ProcessReading after = later();
  after.isWhole = false;
  // Older than the first reading perhaps: what it did in all its life says nothing of now.
  after.threads.push_back(thread(5000, "other"));
  after.threads.back().ran = 500s;
  EXPECT_EQ(rowOf(CheckId::oneThread, before, after).status, CheckStatus::unknown);
  EXPECT_EQ(rowOf(CheckId::processorWait, before, after).status, CheckStatus::unknown);
  after.threads[0].ran += 2s;
  EXPECT_EQ(rowOf(CheckId::oneThread, before, after).status, CheckStatus::warn);
  after.threads.erase(after.threads.begin(), after.threads.begin() + 2);
  EXPECT_EQ(rowOf(CheckId::oneThread, before, after).status, CheckStatus::unknown);
}

TEST(ProcessChecks, SayWhereNoWaitingForAProcessorIsCounted) {
  ProcessReading before = program();
  ProcessReading after = later();
  for (ProcessReading* one : {&before, &after}) {
    for (ThreadReading& each : one->threads) each.waitedForProcessor.reset();
  }
  EXPECT_EQ(finding(rowOf(CheckId::processorWait, before, after)), "not reported: not supported here");
  after.threads[0].ran += 2s;
  EXPECT_EQ(rowOf(CheckId::oneThread, before, after).status, CheckStatus::warn) << "which needs it not";
}

TEST(ProcessChecks, WarnOfWaitingForTheDiskWhereItIsCounted) {
  ProcessReading before = program();
  ProcessReading after = later();
  EXPECT_THAT(finding(rowOf(CheckId::diskWait, before, after)), HasSubstr("not counted: the threads started before"));
  for (ProcessReading* one : {&before, &after}) one->threads[0].waitedForDisk = 3s;
  EXPECT_EQ(rowOf(CheckId::diskWait, before, after).status, CheckStatus::pass);
  *after.threads[0].waitedForDisk += 600ms;
  const CheckRow row = rowOf(CheckId::diskWait, before, after);
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_EQ(finding(row), "server 30.0 % of the time");
  before.countsDiskWaits = after.countsDiskWaits = false;
  EXPECT_EQ(finding(rowOf(CheckId::diskWait, before, after)), "not counted: kernel.task_delayacct = 0");
}

TEST(ProcessChecks, WarnOfAThreadInUninterruptibleSleepInEverySample) {
  ProcessReading before = program();
  ProcessReading after = later();
  after.countsDiskWaits = false;
  after.threads[1].waitsUninterruptibly = true;
  EXPECT_EQ(rowOf(CheckId::diskWait, before, after).status, CheckStatus::unknown) << "once is no habit";
  before.threads[1].waitsUninterruptibly = true;
  const CheckRow row = rowOf(CheckId::diskWait, before, after);
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_EQ(finding(row), "worker in both samples");
}

TEST(ProcessChecks, WarnOfManySmallWrites) {
  ProcessReading after = later();
  EXPECT_EQ(finding(rowOf(CheckId::smallWrites, program(), after)),
            "too few write() calls for a result; send() is not counted");
  after.writes = WriteCounters{1000 + 40'000, 1'000'000 + 40'000 * 100};
  const CheckRow row = rowOf(CheckId::smallWrites, program(), after);
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_EQ(finding(row), "100 B per call, 20000 calls per second");
  EXPECT_THAT(std::string(advice(row)), HasSubstr("write more per call"));
  after.writes->bytes = 1'000'000 + 40'000 * 65'536ULL;
  EXPECT_EQ(rowOf(CheckId::smallWrites, program(), after).status, CheckStatus::pass);
  after.writes->calls = 7;
  EXPECT_EQ(finding(rowOf(CheckId::smallWrites, program(), after)), "counter was reset meanwhile");
  after.writes = unreported(UnknownReason::notPermitted);
  EXPECT_EQ(finding(rowOf(CheckId::smallWrites, program(), after)), "not reported: permission denied");
}

TEST(ProcessChecks, KnowNothingOfAProgramThatIsGoneOrAnotherByNow) {
  ProcessReading other = later();
  other.begun = 900s;
  for (const CheckRow& row : checkUpProcess(program(), other)) {
    EXPECT_EQ(finding(row), "another process has this PID now");
  }
  for (const CheckRow& row : checkUpProcess(program(), unreported(UnknownReason::ended))) {
    EXPECT_EQ(finding(row), "the process ended meanwhile");
    EXPECT_EQ(row.object.rawBytes(), "server");
  }
  const Reported<ProcessReading> denied = unreported(UnknownReason::notPermitted);
  for (const CheckRow& row : checkUpProcess(denied, denied)) EXPECT_EQ(finding(row), "not reported: permission denied");
  for (const CheckRow& row : checkUpProcess(program(), program())) {
    EXPECT_EQ(row.status, CheckStatus::unknown) << "no time went by";
  }
}

TEST(CheckupDocument, HasTheProgramsRowsAsItsSchemaSays) {
  ProcessReading after = later();
  after.name = UntrustedText("serv\x1b[2Jer");
  after.threads[1].name = UntrustedText("w\x1b[2J)orker");
  after.threads[1].ran += 2s;
  after.writes = WriteCounters{1000 + 40'000, 1'000'000 + 40'000 * 100};
  const std::string document =
      toJson(checkUpProcess(after, unreported(UnknownReason::ended)), 2s, WallTime::fromNanoseconds(0));
  EXPECT_TRUE(test::conformsTo(checkupSchema(), document));
  EXPECT_THAT(document, HasSubstr("\"reason\":\"ended\""));
  const std::string warned = toJson(checkUpProcess(program(), after), 2s, WallTime::fromNanoseconds(0));
  EXPECT_TRUE(test::conformsTo(checkupSchema(), warned));
  EXPECT_THAT(warned, HasSubstr("\"process\":\"server\",\"pid\":4711"));
  EXPECT_THAT(warned, HasSubstr("\"bytes_per_call\":100"));
  EXPECT_THAT(warned, Not(HasSubstr("\x1b")));
  EXPECT_THAT(warned, Not(HasSubstr("\\u001b")));
}

TEST(ProgramWaitsOf, AreThoseOfTheThreadThatWaitedLongest) {
  ProcessReading after = later();
  *after.threads[0].waitedForProcessor += 200ms;
  *after.threads[1].waitedForProcessor += 1500ms;
  const auto waits = programWaits(program(), after);
  ASSERT_TRUE(waits);
  EXPECT_EQ(waits->until - waits->from, 2s);
  EXPECT_EQ(waits->forProcessor, 1500ms);
  EXPECT_DOUBLE_EQ(waits->processorRatio(), 0.75);
}

TEST(ProgramWaitsOf, CountThePagesThatWereReadFromADiskForAnyThread) {
  ProcessReading before = program();
  ProcessReading after = later();
  before.threads[0].majorFaults = 1000;
  after.threads[0].majorFaults = 1300;
  before.threads[1].majorFaults = 50;
  after.threads[1].majorFaults = 150;
  const auto waits = programWaits(before, after);
  ASSERT_TRUE(waits);
  EXPECT_EQ(waits->majorFaults, 400U);
  EXPECT_EQ(waits->majorFaultsPerSecond(), 200.0);
}

TEST(ProgramWaitsOf, AreUnknownOfAnotherProcessAndWhereTheyAreNotCounted) {
  ProcessReading other = later();
  other.begun += 1s;
  EXPECT_FALSE(programWaits(program(), other));
  ProcessReading before = program();
  ProcessReading after = later();
  for (ProcessReading* one : {&before, &after}) {
    for (ThreadReading& each : one->threads) each.waitedForProcessor.reset();
  }
  EXPECT_FALSE(programWaits(before, after));
}

}  // namespace
}  // namespace tcpscope
