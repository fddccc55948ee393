// Why a connection cannot be looked into or changed: what was asked for, and the errno. The sentence is made in
// core/text/tune_text.h.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/untrusted_text.h"
#include "core/changes/socket_option.h"

namespace tcpscope {

enum class TuneErrorKind : std::uint8_t {
  /// `object` is the word that is no OPTION=VALUE, or names no option.
  malformedChange,
  unknownOption,
  /// `object` is the value.
  malformedValue,
  outOfRange,
  optionTwice,
  notKept,
  atStart,
  /// No process that may be seen holds the socket.
  noOwner,
  /// The process, or its descriptor, ended meanwhile.
  gone,
  /// The right to look into the process is missing.
  notPermitted,
  /// The descriptor belongs to another socket by now.
  otherSocket,
  /// The kernel has no pidfd_getfd.
  notSupported,
  /// The kernel refused the value: `object`; EPERM where a right is missing.
  optionRefused,
  optionNotInKernel,
  nothingToUndo,
  /// The file with the originals, `object`; 0 as the number where its bytes are not what tcpscope writes.
  recordUnreadable,
  recordNotWritten,
};

struct TuneError {
  TuneErrorKind kind = TuneErrorKind::gone;
  std::optional<SocketOption> option{};
  /// 0 where the call gave none.
  int errorNumber = 0;
  UntrustedText object{};
};

}  // namespace tcpscope
