// From records to events; and the source on this kernel, where the test may load a program into it.
#include "collectors/bpf/loss_source.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <array>
#include <thread>

#include "collectors/system/monotonic_clock.h"
#include "tests/support/loopback_connection.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kHome = 4026531833U;
constexpr std::uint32_t kContainer = 4026532000U;
const DropReason kOverlimit{"QDISC_OVERLIMIT", 65};

TracedLoss lossAt(Milliseconds at, std::uint32_t networkNamespace) {
  TracedLoss event;
  event.segment = {{IpAddress::v4({192, 0, 2, 1}), 50'000},
                   {IpAddress::v4({198, 51, 100, 7}), 443},
                   Moment() + at,
                   17,
                   1448,
                   networkNamespace};
  event.begun = event.segment.at;
  return event;
}

TEST(LossReporter, ADropComesBeforeTheRetransmissionThatItExplains) {
  LossReporter reporter(kHome, Moment());
  const SourceEvent drop = reporter.report(lossAt(1000ms, kHome), kOverlimit);
  EXPECT_EQ(drop.source, "losses");
  EXPECT_EQ(drop.kind, HistoryEventKind::localDrop);
  EXPECT_EQ(drop.local.port, 50'000);
  EXPECT_EQ(drop.at, Moment() + 1000ms);
  const auto dropped = lossReportOf(drop);
  ASSERT_TRUE(dropped);
  EXPECT_EQ(dropped->reason, kOverlimit);

  const SourceEvent again = reporter.report(lossAt(1200ms, kHome), std::nullopt);
  EXPECT_EQ(again.kind, HistoryEventKind::retransmission);
  const auto explained = lossReportOf(again);
  ASSERT_TRUE(explained);
  EXPECT_EQ(explained->reason, kOverlimit);
  EXPECT_EQ(explained->match->droppedLength, 1448U);
}

TEST(LossReporter, EachNamespaceIsItsOwn) {
  LossReporter reporter(kHome, Moment());
  EXPECT_FALSE(lossReportOf(reporter.report(lossAt(1000ms, kHome), kOverlimit))->isElsewhere);
  EXPECT_TRUE(lossReportOf(reporter.report(lossAt(1000ms, kContainer), kOverlimit))->isElsewhere);
  LossReporter withoutHome(std::nullopt, Moment());
  EXPECT_FALSE(lossReportOf(withoutHome.report(lossAt(1000ms, kContainer), kOverlimit))->isElsewhere);
}

TEST(LossReporter, LostEventsLeaveAMatchIncomplete) {
  LossReporter reporter(kHome, Moment());
  reporter.missUntil(Moment() + 1100ms);
  const auto report = lossReportOf(reporter.report(lossAt(1200ms, kHome), std::nullopt));
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->reason);
  EXPECT_EQ(report->match->completeFor, Milliseconds(100));
}

/// From now on the socket drops what carries data.
bool dropData(const test::Descriptor& receiver) {
  // A TCP header with timestamps has 32 bytes: what is longer carries data.
  std::array<sock_filter, 4> drop{{{BPF_LD | BPF_W | BPF_LEN, 0, 0, 0},
                                   {BPF_JMP | BPF_JGT | BPF_K, 0, 1, 32},
                                   {BPF_RET | BPF_K, 0, 0, 0},
                                   {BPF_RET | BPF_K, 0, 0, 0xffffffffU}}};
  const sock_fprog program{static_cast<unsigned short>(drop.size()), drop.data()};
  return setsockopt(receiver.number(), SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) == 0;
}

std::uint32_t ownNamespace() {
  struct stat status {};
  stat("/proc/self/ns/net", &status);
  return static_cast<std::uint32_t>(status.st_ino);
}

TEST(LossSource, ARetransmissionOfWhatThisHostDroppedHasItsReason) {
  const auto source = LossSource::open(PlaceId{7}, ownNamespace());
  if (!source) GTEST_SKIP() << "no program can be loaded into this kernel";
  const test::LoopbackListener listener;
  const auto [sender, receiver] = listener.connect();
  ASSERT_TRUE(dropData(receiver));
  constexpr std::string_view kData = "data that is dropped on arrival";
  ASSERT_EQ(send(sender.number(), kData.data(), kData.size(), MSG_NOSIGNAL), static_cast<ssize_t>(kData.size()));
  std::optional<SourceEvent> drop;
  std::optional<SourceEvent> retransmission;
  const Moment start = monotonicNow();
  while (!retransmission && monotonicNow() - start < 30s) {
    (*source)->collect([&](ObservationBatch&& batch) {
      EXPECT_EQ(batch.place, PlaceId{7});
      EXPECT_TRUE(batch.reportsRetransmissions);
      for (const SourceEvent& event : batch.events) {
        if (event.remote.port != listener.port()) continue;
        if (!drop && event.kind == HistoryEventKind::localDrop) drop = event;
        if (!retransmission && event.kind == HistoryEventKind::retransmission) retransmission = event;
      }
      return true;
    });
    std::this_thread::sleep_for(10ms);
  }
  ASSERT_TRUE(drop);
  ASSERT_TRUE(retransmission);
  const auto dropped = lossReportOf(*drop);
  const auto explained = lossReportOf(*retransmission);
  ASSERT_TRUE(dropped && explained);
  EXPECT_EQ(dropped->reason->name, "SOCKET_FILTER");
  EXPECT_EQ(dropped->sequenceLength, kData.size());
  EXPECT_EQ(dropped->networkNamespace, ownNamespace());
  EXPECT_EQ(explained->sequence, dropped->sequence);
  EXPECT_EQ(explained->match->droppedLength, kData.size());
  EXPECT_EQ(explained->reason, dropped->reason);
  EXPECT_FALSE(explained->isElsewhere);
  EXPECT_LT(drop->at, retransmission->at);
}

}  // namespace
}  // namespace tcpscope
