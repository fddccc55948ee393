// Why another host was not changed, or nobody knows whether it was. The sentence is made in
// core/text/remote_change_text.h.
#pragma once

#include <cstdint>

namespace tcpscope {

enum class RemoteChangeErrorKind : std::uint8_t {
  /// sudo there wants a password; nothing was changed.
  sudoAsks,
  /// sudo there does not let the login do it; nothing was changed.
  sudoRefuses,
  /// Neither root nor sudo; nothing was changed.
  noSudo,
  /// What answers has another boot, or another network namespace, than what was shown; nothing was changed.
  otherPlace,
  /// The host is no longer among those that are looked at, under this address.
  left,
  /// The host is among them, and cannot be heard now.
  notConnected,
  /// The command may have run, and its answer did not come.
  answerLost,
  /// The host was asked what became of a change, and knows of none that is in force.
  notInForce,
  /// The host was asked what became of a change, and its journal does not tell.
  notReported,
};

}  // namespace tcpscope
