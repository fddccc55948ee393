#include "core/present/text/remote_change_text.h"

#include <fmt/format.h>

#include "core/base/escape.h"

namespace tcpscope {

std::string sentence(RemoteChangeErrorKind kind, const UntrustedText& host) {
  const std::string name = forPlainText(host);
  switch (kind) {
    case RemoteChangeErrorKind::sudoAsks:
      return fmt::format("sudo at '{}' asks for a password; nothing was changed. Run this there, then refresh:", name);
    case RemoteChangeErrorKind::sudoRefuses:
      return fmt::format(
          "sudo at '{}' does not permit this login to do it; nothing was changed. Have an administrator run this "
          "there, then refresh:",
          name);
    case RemoteChangeErrorKind::noSudo:
      return fmt::format(
          "The login at '{}' is not root, and there is no sudo; nothing was changed. Run this there as root, then "
          "refresh:",
          name);
    case RemoteChangeErrorKind::otherPlace:
      return fmt::format(
          "'{}' is no longer the host that was shown: it was rebooted, or the address belongs to another host. Nothing "
          "was changed; preview the change again.",
          name);
    case RemoteChangeErrorKind::left:
      return fmt::format(
          "'{}' is no longer in the list of hosts; nothing was changed. Connect to it again, then preview the change "
          "again.",
          name);
    case RemoteChangeErrorKind::notConnected:
      return fmt::format("'{}' does not answer now. Refresh when it is back.", name);
    case RemoteChangeErrorKind::answerLost:
      return fmt::format("No answer from '{}'. It is asked for the result as soon as it can be reached.", name);
    case RemoteChangeErrorKind::notInForce:
      return fmt::format("'{}' has no such active change: the request never arrived there, or the change was reverted.",
                         name);
    case RemoteChangeErrorKind::notReported:
      return fmt::format("'{}' does not report the state of the change; see 'tcpscope-cli changes' there.", name);
  }
  return {};
}

}  // namespace tcpscope
