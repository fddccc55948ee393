// Two readings of a host, and what they say.
#include "core/checkup/host_checkup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/report/checkup_document.h"
#include "core/text/checkup_text.h"
#include "tests/support/json_schema.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;

LinkReading card() {
  LinkReading link;
  link.name = UntrustedText("eth0");
  link.isPhysical = true;
  link.isUp = true;
  link.speed = BitsPerSecond(10e9);
  link.duplex = Duplex::full;
  link.mtu = Bytes(1500);
  link.bus = BusReading{8.0, 8.0, 8, 8};
  link.counters = {{"rx_crc_errors", 0}, {"carrier_changes", 2}, {"rx_missed_errors", 0}, {"tx_dropped", 0}};
  return link;
}

HostReading host() {
  HostReading reading;
  reading.links = {card()};
  reading.processors = {{1000, 0, 0}, {1000, 0, 0}};
  reading.tcpCounters = {{"ListenDrops", 0}, {"PruneCalled", 0}, {"TCPMemoryPressures", 0}};
  return reading;
}

CheckRow rowOf(CheckId id, const HostReading& before, const HostReading& after) {
  const std::vector<CheckRow> rows = checkUp(before, after);
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const CheckRow& row) { return row.id == id; });
  EXPECT_NE(found, rows.end()) << name(id);
  return found == rows.end() ? CheckRow() : *found;
}

TEST(HostCheckup, PassesAHostThatIsWell) {
  for (const CheckRow& row : checkUp(host(), host())) {
    EXPECT_NE(row.status, CheckStatus::warn) << name(row.id);
    EXPECT_NE(row.status, CheckStatus::fail) << name(row.id);
  }
  EXPECT_EQ(worstOf(checkUp(host(), host())), CheckStatus::pass);
}

TEST(HostCheckup, LooksForNoHardwareBehindAnInterfaceThatHasNone) {
  HostReading reading = host();
  reading.links.front().isPhysical = false;
  for (const CheckRow& row : checkUp(reading, reading)) {
    EXPECT_NE(row.layer, CheckLayer::physical) << name(row.id);
    EXPECT_NE(row.id, CheckId::receiveRing);
  }
}

TEST(HostCheckup, TellsLowerLayersFirst) {
  const std::vector<CheckRow> rows = checkUp(host(), host());
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(),
                             [](const CheckRow& left, const CheckRow& right) { return left.layer < right.layer; }));
  EXPECT_EQ(rows.front().layer, CheckLayer::physical);
  EXPECT_EQ(rows.back().layer, CheckLayer::transport);
}

TEST(HostCheckup, FailsWhatGoesWrongNowAndWarnsOfWhatOnceDid) {
  HostReading before = host();
  HostReading after = host();
  before.links[0].counters["rx_crc_errors"] = 4000;
  after.links[0].counters["rx_crc_errors"] = 4012;
  const CheckRow growing = rowOf(CheckId::cable, before, after);
  EXPECT_EQ(growing.status, CheckStatus::fail);
  EXPECT_EQ(growing.during, 12U);
  EXPECT_EQ(finding(growing), "12 now, 4012 since boot");
  EXPECT_THAT(std::string(advice(growing)), HasSubstr("Change cable"));
  EXPECT_EQ(rowOf(CheckId::cable, after, after).status, CheckStatus::warn);
}

TEST(HostCheckup, ACounterThatIsNotToldIsNotKnown) {
  HostReading bare = host();
  bare.tcpCounters.clear();
  bare.processors.clear();
  bare.links[0].counters.clear();
  bare.links[0].speed.reset();
  bare.links[0].duplex.reset();
  bare.links[0].bus.reset();
  for (const CheckId id : {CheckId::acceptQueue, CheckId::packetBacklog, CheckId::cable, CheckId::linkSpeed,
                           CheckId::duplex, CheckId::bus, CheckId::oneProcessor}) {
    EXPECT_EQ(rowOf(id, bare, bare).status, CheckStatus::unknown) << name(id);
  }
}

TEST(HostCheckup, ACounterThatWentBackIsNotKnown) {
  HostReading before = host();
  before.links[0].counters["rx_missed_errors"] = 9;
  EXPECT_EQ(rowOf(CheckId::receiveRing, before, host()).status, CheckStatus::unknown);
}

TEST(HostCheckup, FailsHalfDuplexAndWarnsOfASlowLink) {
  HostReading reading = host();
  reading.links[0].duplex = Duplex::half;
  reading.links[0].speed = BitsPerSecond(10e6);
  EXPECT_EQ(rowOf(CheckId::duplex, reading, reading).status, CheckStatus::fail);
  EXPECT_EQ(rowOf(CheckId::linkSpeed, reading, reading).status, CheckStatus::warn);
}

// A card for 10 Gbit/s in a slot with one lane of PCI Express 2: 5 GT/s and 8b/10b leave 4 Gbit/s.
TEST(HostCheckup, FailsABusThatIsSlowerThanItsLink) {
  HostReading reading = host();
  reading.links[0].bus = BusReading{5.0, 8.0, 1, 8};
  const CheckRow row = rowOf(CheckId::bus, reading, reading);
  EXPECT_EQ(row.status, CheckStatus::fail);
  EXPECT_NEAR(row.busRate->value(), 4e9, 1.0);
  EXPECT_EQ(finding(row), "4.00 Gbit/s for 10.0 Gbit/s");
  // Slowed down to save power, and still more than the link needs.
  reading.links[0].bus = BusReading{2.5, 8.0, 8, 8};
  EXPECT_EQ(rowOf(CheckId::bus, reading, reading).status, CheckStatus::pass);
}

TEST(HostCheckup, WarnsWhereOneProcessorDoesItAllAndThereIsMuch) {
  HostReading after = host();
  after.processors[0].processed += 5000;
  EXPECT_EQ(rowOf(CheckId::oneProcessor, host(), after).status, CheckStatus::pass) << "too little to share";
  after.processors[0].processed += 500'000;
  after.processors[1].processed += 1000;
  const CheckRow row = rowOf(CheckId::oneProcessor, host(), after);
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_GT(row.ratio.value(), 0.99);
}

TEST(HostCheckup, LeavesOutWhatIsDownAndHardwareThatIsNone) {
  HostReading reading = host();
  reading.links[0].isUp = false;
  LinkReading loop;
  loop.name = UntrustedText("lo");
  loop.isUp = true;
  loop.mtu = Bytes(65'536);
  reading.links.push_back(loop);
  for (const CheckRow& row : checkUp(reading, reading)) {
    EXPECT_NE(row.object.rawBytes(), "eth0");
    EXPECT_NE(row.layer, CheckLayer::physical);
  }
}

TEST(HostCheckup, HasAnInterfaceThatCameMeanwhileOnlyNextTime) {
  HostReading before = host();
  before.links.clear();
  for (const CheckRow& row : checkUp(before, host())) EXPECT_TRUE(row.object.empty());
}

TEST(HostCheckup, HasWordsForEveryCheck) {
  for (std::size_t index = 0; index < static_cast<std::size_t>(CheckId::count); ++index) {
    CheckRow row;
    row.id = static_cast<CheckId>(index);
    row.status = CheckStatus::fail;
    EXPECT_FALSE(title(row.id).empty());
    EXPECT_FALSE(advice(row).empty());
    EXPECT_FALSE(name(row.id).empty());
  }
}

TEST(CheckupDocument, ConformsToItsSchema) {
  HostReading after = host();
  after.links[0].name = UntrustedText("eth0\x1b[2J");
  HostReading before = after;
  after.tcpCounters["ListenDrops"] = 3;
  const std::string document = toJson(checkUp(before, after), std::chrono::seconds(3), WallTime::fromNanoseconds(0));
  EXPECT_TRUE(test::conformsTo(checkupSchema(), document));
  EXPECT_THAT(document, HasSubstr("\"status\":\"fail\""));
}

}  // namespace
}  // namespace tcpscope
