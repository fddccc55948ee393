// What of a recording cannot be read, for whoever sees the rest of it.
#pragma once

#include <string>

#include "core/session/recording_facts.h"

namespace tcpscope {

/// One line on standard error where the recording is cut or damaged.
void tellDamage(const std::string& file, const RecordingFacts& recording);

}  // namespace tcpscope
