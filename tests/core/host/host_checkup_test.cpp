// Two readings of a host, and what they say.
#include "core/host/host_checkup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/present/json/checkup_document.h"
#include "core/present/text/checkup_text.h"
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

TEST(HostCheckup, ReportsLowerLayersFirst) {
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
  EXPECT_THAT(std::string(advice(growing)), HasSubstr("Replace the cable"));
  EXPECT_EQ(rowOf(CheckId::cable, after, after).status, CheckStatus::warn);
}

TEST(HostCheckup, AnUnreportedCounterIsUnknown) {
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

TEST(HostCheckup, WarnsWhereOneProcessorCarriesAHeavyLoadAlone) {
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

TEST(HostCheckup, WarnsOfOffloadsThatAreOffAndNamesThem) {
  HostReading reading = host();
  EXPECT_EQ(rowOf(CheckId::offloads, reading, reading).status, CheckStatus::unknown) << "not reported";
  reading.links[0].offloads = OffloadReading{true, true, true, true, true, true, false};
  EXPECT_EQ(rowOf(CheckId::offloads, reading, reading).status, CheckStatus::pass);
  reading.links[0].offloads = OffloadReading{true, true, true, false, true, false, false};
  const CheckRow row = rowOf(CheckId::offloads, reading, reading);
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_EQ(finding(row), "off: tso, gro");
  reading.links[0].offloads = OffloadReading{};
  EXPECT_EQ(rowOf(CheckId::offloads, reading, reading).status, CheckStatus::unknown) << "an empty answer";
}

TEST(HostCheckup, HasNothingAgainstAVethWithoutGenericReceive) {
  HostReading reading = host();
  reading.links[0].isPhysical = false;
  reading.links[0].kind = UntrustedText("veth");
  reading.links[0].offloads = OffloadReading{true, true, true, true, true, false, false};
  EXPECT_EQ(rowOf(CheckId::offloads, reading, reading).status, CheckStatus::pass);
}

TEST(HostCheckup, WarnsOfLargeReceiveOnlyWhereTheHostForwards) {
  HostReading reading = host();
  reading.links[0].offloads = OffloadReading{true, true, true, true, true, true, true};
  EXPECT_EQ(rowOf(CheckId::largeReceive, reading, reading).status, CheckStatus::unknown) << "does it forward?";
  reading.forwards = false;
  EXPECT_EQ(rowOf(CheckId::largeReceive, reading, reading).status, CheckStatus::pass);
  reading.forwards = true;
  EXPECT_EQ(rowOf(CheckId::largeReceive, reading, reading).status, CheckStatus::warn);
}

TEST(HostCheckup, SaysWhyAFigureIsMissing) {
  HostReading reading = host();
  reading.links[0].offloads = unreported(UnknownReason::notPermitted);
  EXPECT_EQ(finding(rowOf(CheckId::offloads, reading, reading)), "not reported: permission denied");
  reading.links[0].queueDiscipline = unreported(UnknownReason::notSupported);
  EXPECT_EQ(finding(rowOf(CheckId::queueDiscipline, reading, reading)), "not reported: not supported here");
}

TEST(HostCheckup, WarnsOfAQueueThatDropsJustNowAndNamesIt) {
  HostReading before = host();
  before.links[0].queueDiscipline = QueueDisciplineReading{UntrustedText("pfifo_fast"), 400, 0, Bytes(0)};
  before.links[0].transmitQueueLength = 1000;
  HostReading after = before;
  const CheckRow quiet = rowOf(CheckId::queueDiscipline, before, after);
  EXPECT_EQ(quiet.status, CheckStatus::pass) << "an earlier drop signalled congestion";
  after.links[0].queueDiscipline = QueueDisciplineReading{UntrustedText("pfifo_fast"), 412, 3, Bytes(3028)};
  const CheckRow row = rowOf(CheckId::queueDiscipline, before, after);
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_EQ(finding(row), "pfifo_fast, txqueuelen 1000: 12 dropped now, 412 in total, 2.96 KiB waiting, 3 requeued");
  after.links[0].queueDiscipline = QueueDisciplineReading{UntrustedText("fq"), 500, 0, Bytes(0)};
  EXPECT_EQ(finding(rowOf(CheckId::queueDiscipline, before, after)), "counter was reset meanwhile");
}

TEST(HostCheckup, WarnsOfRememberedThresholdsWhereTheyAreUsed) {
  HostReading reading = host();
  EXPECT_EQ(rowOf(CheckId::rememberedThreshold, reading, reading).status, CheckStatus::unknown);
  reading.tcpMetrics = TcpMetricsReading{40, 3, 7, true};
  const CheckRow row = rowOf(CheckId::rememberedThreshold, reading, reading);
  EXPECT_EQ(row.status, CheckStatus::warn) << "a kernel without the setting uses them";
  EXPECT_EQ(finding(row), "3 of 40 destinations below 100 segments");
  reading.tcpMetricsSettings.savesNoThreshold = true;
  EXPECT_EQ(rowOf(CheckId::rememberedThreshold, reading, reading).status, CheckStatus::pass);
  reading.tcpMetricsSettings.savesNoThreshold = false;
  reading.tcpMetrics = TcpMetricsReading{65'536, 0, std::nullopt, false};
  EXPECT_EQ(rowOf(CheckId::rememberedThreshold, reading, reading).status, CheckStatus::unknown) << "there are more";
}

TEST(HostCheckup, WarnsOfAControlGroupNearItsLimitOrHeldThere) {
  HostReading reading = host();
  EXPECT_EQ(rowOf(CheckId::groupMemory, reading, reading).status, CheckStatus::unknown);
  reading.groupMemory = GroupMemoryReading{Bytes(4096), std::nullopt, std::nullopt, 0};
  EXPECT_EQ(finding(rowOf(CheckId::groupMemory, reading, reading)),
            "no limit, 4.00 KiB in sockets, at the limit 0 times now, 0 ever");
  reading.groupMemory = GroupMemoryReading{Bytes(4096), Bytes(1000), Bytes(500), 7};
  EXPECT_EQ(rowOf(CheckId::groupMemory, reading, reading).status, CheckStatus::pass);
  HostReading after = reading;
  after.groupMemory->timesAtLimit = 8;
  EXPECT_EQ(rowOf(CheckId::groupMemory, reading, after).status, CheckStatus::warn);
  reading.groupMemory->used = Bytes(950);
  EXPECT_EQ(rowOf(CheckId::groupMemory, reading, reading).status, CheckStatus::warn);
  reading.groupMemory->used.reset();
  EXPECT_EQ(rowOf(CheckId::groupMemory, reading, reading).status, CheckStatus::unknown);
}

TEST(HostCheckup, WarnsOfOrphansFromHalfTheirMaximumOn) {
  HostReading reading = host();
  EXPECT_EQ(rowOf(CheckId::orphans, reading, reading).status, CheckStatus::unknown);
  reading.orphans = OrphanReading{3, std::nullopt};
  EXPECT_EQ(rowOf(CheckId::orphans, reading, reading).status, CheckStatus::unknown);
  reading.orphans = OrphanReading{4000, 8192};
  EXPECT_EQ(rowOf(CheckId::orphans, reading, reading).status, CheckStatus::pass);
  reading.orphans->sockets = 4200;
  const CheckRow row = rowOf(CheckId::orphans, reading, reading);
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_EQ(finding(row), "4200 of 8192");
}

TEST(HostCheckup, ListsTheCongestionControlsAndThoseOfTcpscopeApart) {
  HostReading reading = host();
  EXPECT_EQ(rowOf(CheckId::congestionControls, reading, reading).status, CheckStatus::unknown);
  reading.controls = CongestionControls{UntrustedText("cubic"), {UntrustedText("reno"), UntrustedText("cubic")}};
  EXPECT_EQ(rowOf(CheckId::congestionControls, reading, reading).status, CheckStatus::pass);
  EXPECT_EQ(finding(rowOf(CheckId::congestionControls, reading, reading)), "cubic is the default; also reno");
  reading.controls->available.emplace_back("ghstcp");
  EXPECT_EQ(finding(rowOf(CheckId::congestionControls, reading, reading)),
            "cubic is the default; also reno; loaded by tcpscope: ghstcp");
}

TEST(HostCheckup, WarnsOfATunnelThatDoesNotFitTheInterfaceBelow) {
  HostReading reading = host();
  reading.links[0].kind = UntrustedText("vxlan");
  reading.links[0].mtu = Bytes(1450);
  EXPECT_EQ(finding(rowOf(CheckId::tunnel, reading, reading)), "vxlan, 1450 bytes");
  reading.links[0].lowerMtu = Bytes(1500);
  EXPECT_EQ(rowOf(CheckId::tunnel, reading, reading).status, CheckStatus::pass);
  reading.links[0].mtu = Bytes(1500);
  const CheckRow row = rowOf(CheckId::tunnel, reading, reading);
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_EQ(finding(row), "vxlan, 1500 bytes over 1500");
}

TEST(HostCheckup, WarnsWhereARouteSetsTheWindow) {
  HostReading reading = host();
  EXPECT_EQ(rowOf(CheckId::routeSettings, reading, reading).status, CheckStatus::unknown);
  reading.routes = RoutesReading{5, 1, 0, {}, true};
  EXPECT_EQ(finding(rowOf(CheckId::routeSettings, reading, reading)), "none of 5 routes");
  EXPECT_EQ(rowOf(CheckId::defaultRoute, reading, reading).status, CheckStatus::pass);
  reading.routes =
      RoutesReading{5, 0, 3, {{"192.0.2.0/24", {UntrustedText("window 65535"), UntrustedText("initcwnd 3")}}}, true};
  const CheckRow row = rowOf(CheckId::routeSettings, reading, reading);
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_EQ(finding(row), "192.0.2.0/24 window 65535 initcwnd 3, and 2 more");
  EXPECT_EQ(rowOf(CheckId::defaultRoute, reading, reading).status, CheckStatus::warn);
  reading.routes = RoutesReading{20'000, 0, 0, {}, false};
  EXPECT_EQ(rowOf(CheckId::routeSettings, reading, reading).status, CheckStatus::unknown) << "there are more";
  EXPECT_EQ(rowOf(CheckId::defaultRoute, reading, reading).status, CheckStatus::unknown);
}

TEST(HostCheckup, NamesOthersThatTune) {
  HostReading reading = host();
  EXPECT_EQ(rowOf(CheckId::otherTuners, reading, reading).status, CheckStatus::unknown);
  reading.tuners = OtherTuners{{}, false};
  EXPECT_EQ(finding(rowOf(CheckId::otherTuners, reading, reading)), "not reported: permission denied");
  reading.tuners = OtherTuners{{}, true};
  EXPECT_EQ(rowOf(CheckId::otherTuners, reading, reading).status, CheckStatus::pass);
  reading.tuners = OtherTuners{{{OtherTuner::tuned, TunerEvidence::process}}, false};
  EXPECT_EQ(rowOf(CheckId::otherTuners, reading, reading).status, CheckStatus::warn);
}

TEST(HostCheckup, WarnsOfASmallRingOnlyWhereItLosesPackets) {
  HostReading before = host();
  EXPECT_EQ(rowOf(CheckId::ringSize, before, before).status, CheckStatus::unknown);
  before.links[0].rings = RingReading{256, 4096};
  HostReading after = before;
  EXPECT_EQ(rowOf(CheckId::ringSize, before, after).status, CheckStatus::pass);
  after.links[0].counters["rx_missed_errors"] = 5;
  const CheckRow row = rowOf(CheckId::ringSize, before, after);
  EXPECT_EQ(row.status, CheckStatus::warn);
  EXPECT_EQ(finding(row), "256 of 4096 slots: ethtool -G eth0 rx 4096");
  after.links[0].rings = RingReading{4096, 4096};
  EXPECT_EQ(rowOf(CheckId::ringSize, before, after).status, CheckStatus::pass);
}

TEST(HostCheckup, WarnsOfALongDelayOfInterruptsThatDoesNotAdapt) {
  HostReading reading = host();
  EXPECT_EQ(rowOf(CheckId::interruptDelay, reading, reading).status, CheckStatus::unknown);
  reading.links[0].coalescing = CoalescingReading{false, Microseconds(100)};
  EXPECT_EQ(rowOf(CheckId::interruptDelay, reading, reading).status, CheckStatus::pass);
  reading.links[0].coalescing = CoalescingReading{false, Microseconds(250)};
  EXPECT_EQ(rowOf(CheckId::interruptDelay, reading, reading).status, CheckStatus::warn);
  EXPECT_EQ(finding(rowOf(CheckId::interruptDelay, reading, reading)), "250 µs");
  reading.links[0].coalescing = CoalescingReading{true, Microseconds(250)};
  EXPECT_EQ(rowOf(CheckId::interruptDelay, reading, reading).status, CheckStatus::pass);
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
  after.links[0].offloads = OffloadReading{true, true, true, false, true, false, true};
  after.links[0].queueDiscipline = QueueDisciplineReading{UntrustedText("fq\x1b[2J"), 1, 2, Bytes(3)};
  after.links[0].transmitQueueLength = 1000;
  after.tcpMetrics = TcpMetricsReading{40, 3, 7, true};
  after.groupMemory = GroupMemoryReading{Bytes(1), Bytes(2), Bytes(3), 4};
  after.orphans = OrphanReading{5, 8192};
  after.links[0].kind = UntrustedText("gre");
  after.links[0].lowerMtu = Bytes(1500);
  after.links[0].rings = RingReading{256, 4096};
  after.links[0].coalescing = CoalescingReading{false, Microseconds(250)};
  after.routes = RoutesReading{5, 0, 3, {{"default", {UntrustedText("congctl \x1b[2J")}}}, true};
  after.tuners = OtherTuners{{{OtherTuner::bpftune, TunerEvidence::process}}, false};
  after.links[0].neighbours =
      std::vector<BusNeighbour>{{DeviceKind::network, UntrustedText("0000:03:00.1"), {UntrustedText("e\x1b[2J")}}};
  after.links[0].interrupts = std::vector<InterruptReading>{{38, {{0, 5}, {1, 0}}, UntrustedText("0\x1b[2J")}};
  HostReading before = after;
  after.at = after.at + std::chrono::seconds(3);
  after.links[0].interrupts->front().byProcessor[0] = 5000;
  after.tcpCounters["ListenDrops"] = 3;
  const std::string document = toJson(checkUp(before, after), std::chrono::seconds(3), WallTime::fromNanoseconds(0));
  EXPECT_TRUE(test::conformsTo(checkupSchema(), document));
  EXPECT_THAT(document, HasSubstr("\"status\":\"fail\""));
}

}  // namespace
}  // namespace tcpscope
