#include "core/present/text/lab_text.h"

#include <fmt/format.h>

#include "core/present/text/lab_error_sentence.h"
#include "core/present/text/sentences.h"

namespace tcpscope::lab {

namespace {

std::string answerText(const Answer& answer) {
  return fmt::format("{}/{} (confidence {:.0f} %)", name(answer.limit), name(answer.cause),
                     answer.confidenceRatio * 100);
}

void addList(std::string& text, std::string_view before, const std::vector<std::string>& rules) {
  if (!rules.empty()) text += fmt::format(" {}: {}.", before, fmt::join(rules, ", "));
}

}  // namespace

std::string sentence(const Truth& truth) {
  Verdict verdict;
  verdict.limit = truth.limit;
  verdict.cause = truth.cause;
  verdict.confidenceRatio = 1.0;
  return sentence(verdict, Side::sending);
}

std::string sentence(const Agreement& agreement) {
  std::string text;
  if (agreement.verdictAgrees()) {
    text = "Both verdicts agree with the answer.";
  } else {
    if (!agreement.senderAgrees) text = fmt::format("The sender's verdict is {}.", answerText(agreement.sender));
    if (!agreement.receiverAgrees) {
      text += fmt::format("{}The receiver's verdict is {}.", text.empty() ? "" : " ", answerText(agreement.receiver));
    }
  }
  addList(text, "Not found", agreement.missingFindings);
  addList(text, "Found, but not expected", agreement.forbiddenFindings);
  return text;
}

std::string recordingNotice(const LabError& whyNoLab) {
  return "a recording plays: " + tcpscope::sentence(whyNoLab);
}

std::string sentence(const LabFigures& figures) {
  std::string text = formatRate(figures.goodput);
  if (figures.utilizationRatio) text += fmt::format(", {} of the path's rate", formatRatio(*figures.utilizationRatio));
  if (figures.completionSeconds) text += fmt::format(", complete after {}", formatTime(*figures.completionSeconds));
  if (figures.jainFairnessRatio) text += fmt::format(", fairness {:.3f}", *figures.jainFairnessRatio);
  text += fmt::format(", {} packet{} dropped", figures.drops, figures.drops == 1 ? "" : "s");
  if (figures.marks > 0) text += fmt::format(", {} marked", figures.marks);
  return text;
}

std::string figureText(std::string_view key, double value) {
  const std::string_view base = key.substr(0, key.find('.'));
  if (base.ends_with("_bps")) return formatRate(BitsPerSecond(value));
  if (base.ends_with("_s")) return formatTime(value);
  if (base.ends_with("_bytes")) return formatBytes(value);
  return fmt::format("{:.4g}", value);
}

}  // namespace tcpscope::lab
