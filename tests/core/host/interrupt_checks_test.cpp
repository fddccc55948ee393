// An adapter's interrupts, and the processors that they go to.
#include "core/host/layer_checks.h"

#include <gtest/gtest.h>

#include "core/present/text/checkup_text.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using ByProcessor = std::map<std::uint32_t, std::uint64_t>;

/// With two queues, and a third interrupt that is silent.
HostReading interruptHost() {
  HostReading reading;
  LinkReading link;
  link.name = UntrustedText("eth0");
  link.isPhysical = true;
  link.isUp = true;
  link.interrupts = std::vector<InterruptReading>{{131, {{0, 500}, {1, 0}}, UntrustedText("0-1")},
                                                  {132, {{0, 900}, {1, 7}}, UntrustedText("0-1")},
                                                  {133, {{0, 1}, {1, 0}}, UntrustedText("0")}};
  reading.links = {link};
  reading.processorTimes = {{0, {100, 1000}}, {1, {0, 1000}}};
  return reading;
}

HostReading laterHost() {
  HostReading reading = interruptHost();
  reading.at = reading.at + 2s;
  reading.processorTimes = {{0, {260, 1200}}, {1, {2, 1200}}};
  return reading;
}

CheckRow spread(const HostReading& before, const HostReading& after) {
  std::vector<CheckRow> rows;
  addInterruptChecks(rows, before.links[0], after.links[0], before, after);
  return rows.empty() ? CheckRow() : rows.front();
}

TEST(InterruptChecks, WarnOfBusyQueuesThatAllLandOnOneBusyProcessor) {
  HostReading after = laterHost();
  (*after.links[0].interrupts)[0].byProcessor[0] += 20'000;
  (*after.links[0].interrupts)[1].byProcessor[0] += 10'000;
  const CheckRow row = spread(interruptHost(), after);
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_EQ(finding(row), "2 of 3 interrupts busy, 100 % on CPU 0 with 80.0 % softirq; affinity 0-1");
  after.processorTimes.at(0).softirq = 110;
  EXPECT_EQ(spread(interruptHost(), after).status, CheckStatus::pass) << "which has time left";
  after.processorTimes.clear();
  EXPECT_EQ(spread(interruptHost(), after).status, CheckStatus::unknown);
}

TEST(InterruptChecks, PassQueuesThatShareTheProcessors) {
  HostReading after = laterHost();
  (*after.links[0].interrupts)[0].byProcessor[0] += 20'000;
  (*after.links[0].interrupts)[1].byProcessor[1] += 20'000;
  EXPECT_EQ(spread(interruptHost(), after).status, CheckStatus::pass);
  EXPECT_EQ(spread(interruptHost(), after).ratio, 0.5);
}

TEST(InterruptChecks, PassOneBusyQueueAndNone) {
  HostReading after = laterHost();
  EXPECT_EQ(finding(spread(interruptHost(), after)), "none of 3 interrupts busy");
  (*after.links[0].interrupts)[0].byProcessor[0] += 20'000;
  EXPECT_EQ(spread(interruptHost(), after).status, CheckStatus::pass);
}

TEST(InterruptChecks, PassWhereThereIsOneProcessor) {
  HostReading before = interruptHost();
  HostReading after = laterHost();
  for (HostReading* one : {&before, &after}) {
    for (InterruptReading& interrupt : *one->links[0].interrupts) interrupt.byProcessor.erase(1);
  }
  (*after.links[0].interrupts)[0].byProcessor[0] += 20'000;
  (*after.links[0].interrupts)[1].byProcessor[0] += 20'000;
  EXPECT_EQ(spread(before, after).status, CheckStatus::pass);
}

TEST(InterruptChecks, AreUnknownForResetOrUnreportedInterrupts) {
  HostReading after = laterHost();
  (*after.links[0].interrupts)[0].byProcessor[0] = 3;
  EXPECT_EQ(finding(spread(interruptHost(), after)), "counter was reset meanwhile");
  after = laterHost();
  after.links[0].interrupts->push_back({140, {{0, 5}}, {}});
  EXPECT_EQ(finding(spread(interruptHost(), after)), "counter was reset meanwhile");
  after.links[0].interrupts = unreported();
  EXPECT_EQ(spread(interruptHost(), after).status, CheckStatus::unknown);
}

TEST(InterruptChecks, LeaveOutWhatHasNoHardware) {
  HostReading reading = interruptHost();
  reading.links[0].isPhysical = false;
  EXPECT_EQ(spread(reading, reading).id, CheckId::count);
}

}  // namespace
}  // namespace tcpscope
