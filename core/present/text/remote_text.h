// What is said about other hosts in the session.
#pragma once

#include <string>

#include "core/base/untrusted_text.h"

namespace tcpscope {

/// For a request to connect to a host that is already in the list.
std::string alreadyConnectedSentence(const UntrustedText& host);

}  // namespace tcpscope
