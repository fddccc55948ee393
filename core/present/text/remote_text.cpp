#include "core/present/text/remote_text.h"

#include <fmt/format.h>

#include "core/base/escape.h"

namespace tcpscope {

std::string alreadyConnectedSentence(const UntrustedText& host) {
  return fmt::format("'{}' is already in the list; disconnect it first to reconnect", forTerminal(host));
}

}  // namespace tcpscope
