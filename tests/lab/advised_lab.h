// A running lab in which advice is taken: a transfer is watched and advised on, one remedy is applied by tcpscope-cli
// as a user would, to the running host or connection, and the transfer, or the one that begins after it, is measured
// again. At the end the change is undone.
#pragma once

#include "core/base/expected.h"
#include "core/session/lab_error.h"
#include "tests/lab/advice_case.h"

namespace tcpscope::lab {

struct Measured {
  BitsPerSecond goodput;
  /// How long data waits at the sender before it is sent.
  std::optional<double> waitsSeconds;
  /// What the sender's verdict says would limit it next; absent where it says that this is unknown.
  std::optional<BitsPerSecond> next;
};

struct TakenAdvice {
  /// Everything that both ends were advised.
  std::vector<RemedyId> advised;
  /// The one that the case is about, absent where it was not advised; with a target rate and without one.
  std::optional<Remedy> remedy;
  std::optional<Remedy> withoutTarget;
  /// What both ends saw before, and were advised.
  std::vector<std::string> seen;
  /// The tcpscope-cli commands that were run.
  std::vector<std::string> commands;
  Measured before;
  /// Absent where nothing was applied.
  std::optional<Measured> after;
  bool isUndone = false;
  /// What tcpscope-cli said where it did not do it.
  std::string refusal;
  /// Empty where the path was in time (undisturbed_run.h).
  std::string disturbance;
};

/// Its target is the rate and the RTT of the case's path.
Expected<TakenAdvice, LabError> takeAdvice(const AdviceCase& one);

}  // namespace tcpscope::lab
