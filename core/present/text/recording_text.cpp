#include "core/present/text/recording_text.h"

#include <fmt/format.h>

#include "core/base/escape.h"
#include "core/present/text/report_text.h"
#include "core/present/text/sentences.h"

namespace tcpscope {

std::string damageText(const RecordingFacts& recording) {
  std::string text;
  if (recording.damagedPieces > 0) {
    const bool isOne = recording.damagedPieces == 1;
    text =
        fmt::format("damaged {} after its start, where {} cannot be read", formatTime(toSeconds(recording.firstDamage)),
                    isOne ? "a segment" : fmt::format("the first of {} segments", recording.damagedPieces));
  }
  if (!recording.isCut) return text;
  return fmt::format("{}{}truncated {} after its start", text, text.empty() ? "" : ", and ",
                     formatTime(toSeconds(recording.length)));
}

std::string recordedText(const RecordingFacts& recording) {
  std::string text =
      fmt::format("{}, for {}", formatWallTime(recording.begun), formatTime(toSeconds(recording.length)));
  if (!recording.program.empty()) text += ", by " + forPlainText(recording.program);
  return text;
}

}  // namespace tcpscope
