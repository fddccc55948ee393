// Holds what a capture's analysis says against what is known: drops, causes, the live verdict.
#pragma once

#include "tests/lab/captured_run.h"

namespace tcpscope::lab {

/// Of the losses that the analysis reports. A drop behind the capture point shows there. One before it shows if what
/// came in its place came after data that follows it: a lost tail shows nowhere, nor does a retransmission that is lost
/// as well. What a kernel refuses at the end of the path is a drop behind all capture points.
struct DropJudgement {
  std::size_t logged = 0;
  std::size_t visible = 0;
  std::size_t found = 0;
  std::size_t invented = 0;
  [[nodiscard]] std::size_t missed() const { return visible - found; }
  DropJudgement& operator+=(const DropJudgement& other);
};
DropJudgement judgeDrops(const CapturedRun& run, std::size_t vantage, bool verbose);

/// Of causes. The sender's capture is held against the kernel's counters, cause by cause; what is too many of one is
/// wrong. The others are held against the sender's capture, retransmission by retransmission.
struct CauseJudgement {
  std::size_t all = 0;
  std::size_t wrong = 0;
  [[nodiscard]] double rightShare() const {
    return all == 0 ? 1.0 : 1.0 - static_cast<double>(wrong) / static_cast<double>(all);
  }
  CauseJudgement& operator+=(const CauseJudgement& other);
};
CauseJudgement judgeCauses(const CapturedRun& run, std::size_t vantage, bool verbose);

enum class VerdictOutcome : std::uint8_t {
  /// The limit; the cause, or none.
  same,
  /// No limit, the live one among the candidates.
  unknown,
  withoutCandidate,
  different,
};
struct VerdictJudgement {
  VerdictOutcome outcome = VerdictOutcome::withoutCandidate;
  std::string text;
};
/// The run has a live verdict.
VerdictJudgement judgeVerdict(const CapturedRun& run, std::size_t vantage);

struct VerdictTally {
  std::size_t same = 0;
  std::size_t unknown = 0;
  std::size_t withoutCandidate = 0;
  std::size_t different = 0;
  void add(VerdictOutcome outcome);
};

std::string answerText(const Answer& answer);
/// What the captures saw, for finding out why they erred.
void reportWaits(const CapturedRun& run);

}  // namespace tcpscope::lab
