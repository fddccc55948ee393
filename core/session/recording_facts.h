// A recording's own header facts, and what of it cannot be read.
#pragma once

#include <cstddef>

#include "core/base/moment.h"
#include "core/base/units.h"
#include "core/base/untrusted_text.h"

namespace tcpscope {

struct RecordingFacts {
  /// The recording comment; empty where there is none.
  UntrustedText note;
  /// "tcpscope 0.1.0"; empty where it does not say.
  UntrustedText program;
  WallTime begun;
  /// From there to the last that can be read.
  Nanoseconds length{0};
  /// Its end is missing.
  bool isCut = false;
  /// Before its end.
  std::size_t damagedPieces = 0;
  /// From the begin to the first of them; meant only where there is one.
  Nanoseconds firstDamage{0};

  [[nodiscard]] bool isWhole() const { return !isCut && damagedPieces == 0; }
};

}  // namespace tcpscope
