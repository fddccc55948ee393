// What is said where another host is changed and something comes between.
#pragma once

#include <string>

#include "core/base/untrusted_text.h"
#include "core/changes/remote_change_error.h"

namespace tcpscope {

/// What happened, why, what to do next; whole sentences. Of sudo's three the command to run there stands behind them.
std::string sentence(RemoteChangeErrorKind kind, const UntrustedText& host);

}  // namespace tcpscope
