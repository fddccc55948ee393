#include "app/cli/recording_notice.h"

#include <fmt/format.h>

#include "core/base/escape.h"
#include "core/present/text/recording_text.h"

namespace tcpscope {

void reportDamage(const std::string& file, const RecordingFacts& recording) {
  if (recording.isWhole()) return;
  fmt::print(stderr, "tcpscope-cli: '{}' is {}; everything else in it is shown\n", forTerminal(file),
             damageText(recording));
}

}  // namespace tcpscope
