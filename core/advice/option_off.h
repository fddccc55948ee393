// An option of the handshake that one end has off: what both such remedies share.
#pragma once

#include "core/advice/advice.h"

namespace tcpscope {

/// Switches it on at the end that has it off, for connections that begin afterwards. The sysctl of this place says
/// which end that is: an end that has it on offers it. Either may be it where the sysctl is not known.
Remedy switchOptionOn(const AdviceInput& input, RemedyId id, std::string_view key);

}  // namespace tcpscope
