// What is said about other hosts in the session.
#pragma once

#include <string>

#include "core/base/untrusted_text.h"

namespace tcpscope {

/// Somebody wants to connect to a host that is in the list.
std::string alreadyConnectedSentence(const UntrustedText& host);

}  // namespace tcpscope
