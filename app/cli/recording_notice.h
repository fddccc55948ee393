// Reports damage of a recording whose other parts are shown.
#pragma once

#include <string>

#include "core/session/recording_facts.h"

namespace tcpscope {

/// One line on standard error where the recording is cut or damaged.
void reportDamage(const std::string& file, const RecordingFacts& recording);

}  // namespace tcpscope
