// Would a connection reach a target rate? Checked for each thing that could prevent it, from what was measured.
//
// Rate times RTT has to be in flight: the receive window and the send buffer have to hold it, and the losses have to
// stay within what the rate can stand (equation 2 of Web100's paper). An autotuned buffer that has not had to grow yet,
// and losses of which too few were seen, are unknown rather than passed.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/units.h"

namespace tcpscope {

struct AdviceInput;

enum class TargetPart : std::uint8_t { receiveWindow, sendBuffer, loss, path };
std::string_view name(TargetPart part);

enum class TargetOutcome : std::uint8_t { passes, fails, unknown };
std::string_view name(TargetOutcome outcome);

struct TargetPartCheck {
  TargetPart part = TargetPart::path;
  TargetOutcome outcome = TargetOutcome::unknown;
  /// What there is, or may be at most, and what the target takes: bytes for window and buffer, loss events per packet
  /// for losses, bit/s for the path. Absent where it is not known.
  std::optional<double> has;
  double needs = 0.0;
};

struct TargetCheck {
  BitsPerSecond rate;
  double rttSeconds = 0.0;
  /// In the order of TargetPart; what does not show from this end, or does not steer it, is left out.
  std::vector<TargetPartCheck> parts;

  /// Fails where a part fails, and is unknown where one is, or there is none.
  [[nodiscard]] TargetOutcome outcome() const;
};

/// For the side that `input` is about; nothing without a target rate or without an RTT.
std::optional<TargetCheck> checkTarget(const AdviceInput& input);

}  // namespace tcpscope
