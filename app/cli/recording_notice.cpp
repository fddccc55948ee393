#include "app/cli/recording_notice.h"

#include <fmt/format.h>

#include "core/text/escape.h"
#include "core/text/recording_text.h"

namespace tcpscope {

void tellDamage(const std::string& file, const RecordingFacts& recording) {
  if (recording.isWhole()) return;
  fmt::print(stderr, "tcpscope-cli: '{}' is {}; everything else in it is told\n", forTerminal(file),
             damageText(recording));
}

}  // namespace tcpscope
