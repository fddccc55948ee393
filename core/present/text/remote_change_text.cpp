#include "core/present/text/remote_change_text.h"

#include <fmt/format.h>

#include "core/base/escape.h"

namespace tcpscope {

std::string sentence(RemoteChangeErrorKind kind, const UntrustedText& host) {
  const std::string name = forPlainText(host);
  switch (kind) {
    case RemoteChangeErrorKind::sudoAsks:
      return fmt::format("sudo at '{}' asks for a password, so that nothing was done. Run this there, then look again:",
                         name);
    case RemoteChangeErrorKind::sudoRefuses:
      return fmt::format(
          "sudo at '{}' does not let this login do it, so that nothing was done. Let somebody who may run this there, "
          "then look again:",
          name);
    case RemoteChangeErrorKind::noSudo:
      return fmt::format(
          "The login at '{}' is not root, and there is no sudo, so that nothing was done. Run this there as root, then "
          "look again:",
          name);
    case RemoteChangeErrorKind::otherPlace:
      return fmt::format(
          "'{}' is not what was shown any more: the host was started anew, or the address leads to another one. "
          "Nothing was done; go back and preview the change again.",
          name);
    case RemoteChangeErrorKind::left:
      return fmt::format(
          "'{}' is not in the list of hosts any more, so that nothing was done. Connect to it again, then preview the "
          "change again.",
          name);
    case RemoteChangeErrorKind::notConnected:
      return fmt::format("'{}' cannot be heard now. Look again when it is back.", name);
    case RemoteChangeErrorKind::answerLost:
      return fmt::format("The answer of '{}' did not come. It is asked what it did as soon as it can be heard.", name);
    case RemoteChangeErrorKind::notInForce:
      return fmt::format("'{}' has no such change in force: it never arrived there, or was undone again.", name);
    case RemoteChangeErrorKind::notTold:
      return fmt::format("'{}' does not tell what became of the change; see 'tcpscope-cli changes' there.", name);
  }
  return {};
}

}  // namespace tcpscope
