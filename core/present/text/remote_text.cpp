#include "core/present/text/remote_text.h"

#include <fmt/format.h>

#include "core/base/escape.h"

namespace tcpscope {

std::string alreadyConnectedSentence(const UntrustedText& host) {
  return fmt::format("'{}' is in the list already; disconnect it first to connect anew", forTerminal(host));
}

}  // namespace tcpscope
