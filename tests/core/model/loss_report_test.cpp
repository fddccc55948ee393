// A report of a loss as the payload of an event: what is written is read, and nothing else is.
#include "core/model/loss_report.h"

#include <gtest/gtest.h>

#include "core/model/source_event.h"

namespace tcpscope {
namespace {

LossReport droppedReport() {
  return {17, 1448, 4026531833U, false, DropReason{"NETFILTER_DROP", 12}, {}};
}

LossReport retransmittedReport() {
  LossReport report = droppedReport();
  report.match = DropMatch{1000, std::chrono::seconds(3), 4026532000U};
  report.isElsewhere = true;
  return report;
}

TEST(LossReport, IsReadAsItWasWritten) {
  for (const LossReport& report :
       {LossReport{}, droppedReport(), retransmittedReport(), LossReport{17, 0, {}, false, DropReason{"", 131'082}, {}},
        LossReport{17, 1448, 1U, false, {}, DropMatch{0, Nanoseconds(1), {}}}}) {
    EXPECT_EQ(decodeLossReport(encodeLossReport(report)), report);
  }
}

TEST(LossReport, APartOfItIsNone) {
  const std::vector<std::byte> whole = encodeLossReport(retransmittedReport());
  const std::size_t nameLength = retransmittedReport().reason->name.size();
  for (std::size_t size = 0; size < whole.size() - nameLength; ++size) {
    EXPECT_FALSE(decodeLossReport(std::span(whole).first(size))) << size << " bytes";
  }
}

TEST(LossReport, AReasonIsNoTextOfAnyKind) {
  LossReport report = droppedReport();
  report.reason->name = "<b>\x1b[31m";
  const auto read = decodeLossReport(encodeLossReport(report));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->reason->name, "") << "what is no name is not written";
  std::vector<std::byte> forged = encodeLossReport(droppedReport());
  forged.back() = std::byte{0x1b};
  EXPECT_FALSE(decodeLossReport(forged));
  forged.back() = std::byte{'P'};
  forged.insert(forged.end(), 100, std::byte{'A'});
  EXPECT_FALSE(decodeLossReport(forged)) << "longer than any name";
}

TEST(LossReport, NoMoreIsLostThanWasSent) {
  LossReport report = retransmittedReport();
  report.match->droppedLength = report.sequenceLength + 1;
  EXPECT_FALSE(decodeLossReport(encodeLossReport(report)));
}

TEST(LossReport, BelongsToEventsOfItsKindsAlone) {
  SourceEvent event;
  event.payload = encodeLossReport(droppedReport());
  EXPECT_FALSE(lossReportOf(event)) << "a change of state";
  event.kind = HistoryEventKind::retransmission;
  EXPECT_FALSE(lossReportOf(event)) << "without a match";
  event.kind = HistoryEventKind::localDrop;
  EXPECT_EQ(lossReportOf(event), droppedReport());
  event.payload = encodeLossReport(LossReport{});
  EXPECT_FALSE(lossReportOf(event)) << "without a reason";
}

}  // namespace
}  // namespace tcpscope
