#include "core/session/capture/capture_gap.h"

#include <algorithm>

namespace tcpscope {

namespace {

struct KindRow {
  std::string_view name;
  GapSeverity severity;
};

constexpr std::array<KindRow, 23> kKinds = {{
    {"open_failed", GapSeverity::dataLoss},
    {"read_failed", GapSeverity::dataLoss},
    {"empty", GapSeverity::dataLoss},
    {"other_format", GapSeverity::dataLoss},
    {"unsupported_version", GapSeverity::dataLoss},
    {"cut", GapSeverity::dataLoss},
    {"lying_length", GapSeverity::dataLoss},
    {"unknown_interface", GapSeverity::dataLoss},
    {"damaged_compression", GapSeverity::dataLoss},
    {"lost_packets", GapSeverity::dataLoss},
    {"other_protocol", GapSeverity::info},
    {"tunnel", GapSeverity::warning},
    {"later_fragment", GapSeverity::warning},
    {"snap_length", GapSeverity::warning},
    {"malformed", GapSeverity::warning},
    {"unknown_link_type", GapSeverity::warning},
    {"without_time", GapSeverity::warning},
    {"repeated_packets", GapSeverity::warning},
    {"dropped_by_capture", GapSeverity::dataLoss},
    {"connection_limit", GapSeverity::dataLoss},
    {"memory_limit", GapSeverity::dataLoss},
    {"backward_time", GapSeverity::warning},
    {"stopped", GapSeverity::dataLoss},
}};

constexpr CaptureGapKind kindOf(CaptureFaultKind kind) {
  return static_cast<CaptureGapKind>(kind);
}
constexpr CaptureGapKind kindOf(NoSegment reason) {
  return static_cast<CaptureGapKind>(static_cast<std::size_t>(CaptureGapKind::otherProtocol) +
                                     static_cast<std::size_t>(reason));
}
static_assert(kindOf(CaptureFaultKind::lostPackets) == CaptureGapKind::lostPackets);
static_assert(kindOf(NoSegment::repeated) == CaptureGapKind::repeated);

const KindRow& rowOf(CaptureGapKind kind) {
  return kKinds.at(static_cast<std::size_t>(kind));
}

}  // namespace

std::string_view name(CaptureGapKind kind) {
  return rowOf(kind).name;
}

GapSeverity severity(CaptureGapKind kind) {
  return rowOf(kind).severity;
}

std::vector<CaptureGap> gapsOf(const CapturedFile& file) {
  std::vector<CaptureGap> gaps;
  for (const CountedFault& fault : file.faults) {
    gaps.push_back({kindOf(fault.first.kind), fault.packets > 0 ? fault.packets : fault.count, fault.first.offset,
                    fault.first.errorNumber, fault.first.format});
  }
  const auto add = [&](CaptureGapKind kind, std::uint64_t count) {
    if (count > 0) gaps.push_back({kind, count});
  };
  std::uint64_t named = 0;
  for (const CountedLinkType& one : file.unknownLinkTypes) {
    add(CaptureGapKind::unknownLinkType, one.packets);
    gaps.back().linkType = one.linkType;
    named += one.packets;
  }
  for (std::size_t reason = 0; reason < kNoSegmentReasons; ++reason) {
    const CaptureGapKind kind = kindOf(static_cast<NoSegment>(reason));
    std::uint64_t accountedFor = 0;
    if (kind == CaptureGapKind::unknownLinkType) accountedFor = named;
    if (kind == CaptureGapKind::fragment) accountedFor = file.reassembledFragments;
    add(kind, file.withoutSegment.at(reason) - accountedFor);
  }
  add(CaptureGapKind::droppedByCapture, file.droppedByStatistics);
  add(CaptureGapKind::connectionLimit, file.refusedSegments);
  add(CaptureGapKind::memoryLimit, file.segmentsBeyondMemory);
  add(CaptureGapKind::backwardTime, file.backwardSteps);
  if (file.stoppedAt) gaps.push_back({CaptureGapKind::stopped, 1, *file.stoppedAt});
  std::stable_sort(gaps.begin(), gaps.end(),
                   [](const CaptureGap& a, const CaptureGap& b) { return severity(a.kind) > severity(b.kind); });
  return gaps;
}

}  // namespace tcpscope
