// What the captures of a lab's hosts hold, against the path's own account.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/mman.h>

#include <set>

#include "collectors/pcap/capture_reader.h"
#include "collectors/pcap/packet_decoder.h"
#include "collectors/system/owned_descriptor.h"
#include "tests/app/lab/running_lab.h"

namespace tcpscope::lab {
namespace {

using LabCaptureTest = test::RunningLab;

/// Segments with data in the capture, by sequence number: once for each time that they were sent.
std::multiset<std::uint32_t> dataIn(const OwnedDescriptor& file) {
  std::multiset<std::uint32_t> sequences;
  // Through its own name: the writer's place in the file stays the writer's.
  auto source = openFile(fmt::format("/proc/self/fd/{}", file.get()));
  if (!source) return sequences;
  auto reader = CaptureReader::open(std::move(*source));
  if (!reader) return sequences;
  while (const CaptureItem item = (*reader)->next()) {
    if (item.frame == nullptr) continue;
    const auto segment = decodePacket(*item.frame);
    if (segment && segment->payloadBytes > 0) sequences.insert(segment->sequence);
  }
  return sequences;
}

TEST_F(LabCaptureTest, ShowWhatWasSentAndWhatArrivedAndTheLogExplainsTheRest) {
  Scenario scenario = test::twoHosts();
  scenario.path.path.forward.loss = BernoulliLoss{0.02};
  scenario.traffic = {test::traffic("main")};
  scenario.traffic[0].bytes = Bytes{1'000'000};
  const OwnedDescriptor atSender(memfd_create("sender", MFD_CLOEXEC));
  const OwnedDescriptor atReceiver(memfd_create("receiver", MFD_CLOEXEC));
  ASSERT_NO_FATAL_FAILURE(start(scenario, std::array{atSender.get(), atReceiver.get()}));
  if (lab() == nullptr) return;
  reportWhenEnded(1);
  reportWhen([](const LabResult& report) {
    return std::all_of(report.path.links.begin(), report.path.links.end(),
                       [](const LinkReport& link) { return link.counters.packetsInside == Count(0); });
  });

  std::multiset<std::uint32_t> explained = dataIn(atReceiver);
  EXPECT_GT(explained.size(), 600U);
  std::size_t dropped = 0;
  for (const PathEvent& event : lab()->events()) {
    if (!isDrop(event.kind) || event.payloadBytes == 0) continue;
    explained.insert(event.sequence);
    ++dropped;
  }
  EXPECT_GT(dropped, 0U);
  EXPECT_EQ(dataIn(atSender), explained);
}

}  // namespace
}  // namespace tcpscope::lab
