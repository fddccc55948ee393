// The result of reading one capture file: how much it held, what of it gave no TCP segment, what was wrong.
//
// Bounded however damaged a file is: faults of a kind are counted behind the first.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/base/moment.h"
#include "core/base/untrusted_text.h"
#include "core/model/capture_fault.h"
#include "core/model/no_segment.h"

namespace tcpscope {

struct CountedFault {
  CaptureFault first;
  std::uint64_t count = 1;
  /// Missing because of all of them.
  std::uint64_t packets = 0;
};

/// Packets of a link type (LINKTYPE_ in the tcpdump project's list) that is not read.
struct CountedLinkType {
  std::uint16_t linkType = 0;
  std::uint64_t packets = 0;
};

struct CapturedFile {
  /// As it was given; "-" is standard input.
  UntrustedText name;
  /// pcap or pcapng; unknown where it could not be read at all.
  FileFormat format = FileFormat::unknown;
  std::uint64_t packets = 0;
  std::uint64_t segments = 0;
  std::array<std::uint64_t, kNoSegmentReasons> withoutSegment{};
  /// Of the fragments, those that became part of a whole segment.
  std::uint64_t reassembledFragments = 0;
  /// Of those with an unknown link type, the first few types.
  std::vector<CountedLinkType> unknownLinkTypes;
  /// Of connections beyond the limit.
  std::uint64_t refusedSegments = 0;
  /// That came after the analysis had reached its memory limit.
  std::uint64_t segmentsBeyondMemory = 0;
  /// Packets that are earlier than the one before them.
  std::uint64_t backwardSteps = 0;
  /// That the capture's own statistics say were dropped before they reached it.
  std::uint64_t droppedByStatistics = 0;
  std::optional<WallTime> firstTime;
  std::optional<WallTime> lastTime;
  std::vector<CountedFault> faults;
  /// Reading was cancelled here, so many bytes into the file.
  std::optional<std::uint64_t> stoppedAt;
  /// Files with the same number follow one another in time and were analysed as one capture; from 0.
  std::size_t capture = 0;

  void add(const CaptureFault& fault);
  /// `linkType`: of the frame.
  void addWithout(NoSegment reason, std::uint16_t linkType) {
    ++withoutSegment.at(static_cast<std::size_t>(reason));
    if (reason == NoSegment::unknownLinkType) addUnknown(linkType);
  }

private:
  void addUnknown(std::uint16_t linkType);
};

}  // namespace tcpscope
