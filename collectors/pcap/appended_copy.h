// Recognizes a capture that was appended to itself (cat, or a job that ran twice), whatever its length: its first
// packets come again, at the same times and with the same bytes.
//
// The file is then the same packets once more, not a sender that retransmits all it has sent. Constant memory: the
// first packets are compared one by one, and the rest of the copy is as many packets, none later than the original.
#pragma once

#include <array>
#include <optional>

#include "collectors/pcap/captured_frame.h"

namespace tcpscope {

class AppendedCopy {
public:
  /// Was the frame there before? Call with each frame, in the order of the file.
  bool isRepeated(const CapturedFrame& frame);

private:
  static constexpr std::size_t kCompared = 32;

  struct Print {
    WallTime time;
    std::uint64_t hash = 0;

    bool operator==(const Print&) const = default;
  };
  static Print printOf(const CapturedFrame& frame);
  void keep(const CapturedFrame& frame);
  /// In a copy.
  bool takeRepeated(const CapturedFrame& frame);

  std::array<Print, kCompared> m_first{};
  std::size_t m_kept = 0;
  std::uint64_t m_originals = 0;
  WallTime m_latest;
  /// Frames of the copy so far; nothing outside of a copy.
  std::optional<std::uint64_t> m_repeated;
};

}  // namespace tcpscope
