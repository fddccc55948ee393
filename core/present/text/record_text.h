// Sentences about recording.
#pragma once

#include <string>

namespace tcpscope {

/// Why a recording does not begin where nothing live is shown.
std::string nothingToRecordSentence();

}  // namespace tcpscope
