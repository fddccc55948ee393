// Why the options of a connection cannot be read or changed. The sentence is made in core/present/text/tune_text.h.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/untrusted_text.h"
#include "core/changes/socket_option.h"

namespace tcpscope {

enum class TuneErrorKind : std::uint8_t {
  /// `object` is the argument that is not OPTION=VALUE or has an unknown option.
  malformedChange,
  unknownOption,
  /// `object` is the value.
  malformedValue,
  outOfRange,
  optionTwice,
  notKept,
  atStart,
  /// No visible process holds the socket.
  noOwner,
  /// The process or its descriptor no longer exists.
  gone,
  /// No permission to trace the process (ptrace(2)).
  notPermitted,
  /// The descriptor refers to another socket now.
  otherSocket,
  /// The kernel has no pidfd_getfd.
  notSupported,
  /// The kernel refused the value `object`; EPERM for a missing right.
  optionRefused,
  optionNotInKernel,
  nothingToUndo,
  /// A change of this connection is on trial: confirm or undo it first.
  onTrial,
  /// No change of this connection is on trial.
  notOnTrial,
  /// The program that made the change ended before the options were read back.
  interrupted,
  /// The process that ends a trial cannot be started.
  timerFailed,
  /// `object` is the file with the originals; errorNumber 0 if its content is damaged.
  recordUnreadable,
  recordNotWritten,
  /// An undo set the originals, and could not record it; undoing again does.
  recordNotUpdated,
};

struct TuneError {
  TuneErrorKind kind = TuneErrorKind::gone;
  std::optional<SocketOption> option{};
  /// 0 if there is none.
  int errorNumber = 0;
  UntrustedText object{};
};

}  // namespace tcpscope
