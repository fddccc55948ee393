// Why the path history cannot be read or written. The sentence is made in core/present/text/path_history_text.h.
#pragma once

#include <cstdint>

#include "core/base/untrusted_text.h"

namespace tcpscope {

enum class PathHistoryErrorKind : std::uint8_t {
  /// The environment names no place for it.
  noFolder,
  /// errno in `number`; EPERM also where others may write to the folder.
  notOpened,
  /// The file is none of ours, or its content makes no sense.
  damaged,
  /// A file of another program.
  foreign,
  /// Written by a later version of this program.
  later,
  /// Another program kept it for too long.
  busy,
  /// The disk, or the quota, is full.
  full,
  /// SQLite's code in `number`.
  failed,
};

struct PathHistoryError {
  PathHistoryErrorKind kind = PathHistoryErrorKind::failed;
  /// Of the file.
  UntrustedText file{};
  int number = 0;
};

}  // namespace tcpscope
