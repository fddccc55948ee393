// Does the diagnosis of a lab's main connection agree with the truth? Each end is held to what it can know: only the
// receiving end sees that its buffer is locked, and it cannot see what limits a sender.
#pragma once

#include "core/diagnosis/connection_diagnosis.h"
#include "core/session/truth.h"

namespace tcpscope::lab {

/// The limit and cause that an end names.
struct Answer {
  Limit limit = Limit::unknown;
  Cause cause = Cause::unknown;
  double confidenceRatio = 0.0;
};

struct Agreement {
  Answer sender;
  Answer receiver;
  /// The sending end names limit and cause, the receiving end names them or says that it cannot know.
  bool senderAgrees = false;
  bool receiverAgrees = false;
  /// Rules that had to appear and did not, and those that appeared and must not.
  std::vector<std::string> missingFindings;
  std::vector<std::string> forbiddenFindings;

  [[nodiscard]] bool verdictAgrees() const { return senderAgrees && receiverAgrees; }
  [[nodiscard]] bool agrees() const { return verdictAgrees() && missingFindings.empty() && forbiddenFindings.empty(); }
  /// Every end that names a limit is confident.
  [[nodiscard]] bool isConfident() const;
  /// An end is confident, and wrong.
  [[nodiscard]] bool isConfidentlyWrong() const;
};

Agreement agreementOf(const Truth& truth, const ConnectionDiagnosis& sendingEnd,
                      const ConnectionDiagnosis& receivingEnd);

}  // namespace tcpscope::lab
