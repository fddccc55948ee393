// What of a recording cannot be read, in words.
#pragma once

#include <string>

#include "core/session/recording_facts.h"

namespace tcpscope {

/// "cut off 12.3 s after its begin": behind "is"; empty where all of it was read.
std::string damageText(const RecordingFacts& recording);

/// "2 January 2026, 03:04:05 UTC, for 12.3 s, by tcpscope 0.1.0", in which names are escaped already.
std::string recordedText(const RecordingFacts& recording);

}  // namespace tcpscope
