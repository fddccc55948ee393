// The originals of a connection's options, and their text in a file. The text may be damaged or forged: its reader is
// strict and bounded.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/changes/option_value.h"

namespace tcpscope {

/// A connection of a boot: the kernel never reuses a socket cookie.
struct TuneKey {
  /// /proc/sys/kernel/random/boot_id.
  std::string bootId;
  /// The inode of the network namespace.
  std::uint64_t networkNamespace = 0;
  std::uint64_t cookie = 0;

  /// Name of the record's file.
  [[nodiscard]] std::string fileName() const;
  bool operator==(const TuneKey&) const = default;
};

struct RecordedOption {
  SocketOption option = SocketOption::sendBuffer;
  OptionValue before;
  /// Read back after the change; absent after a crash before that.
  std::optional<OptionValue> after;

  bool operator==(const RecordedOption&) const = default;
};

struct TuneRecord {
  TuneKey key;
  /// Each option once.
  std::vector<RecordedOption> options;

  [[nodiscard]] const RecordedOption* find(SocketOption option) const;
  [[nodiscard]] RecordedOption* find(SocketOption option);
  bool operator==(const TuneRecord&) const = default;
};

inline constexpr std::size_t kLongestTuneRecord = 4096;

std::string writeTuneRecord(const TuneRecord& record);
/// Nothing for a text that writeTuneRecord() cannot have written.
std::optional<TuneRecord> parseTuneRecord(std::string_view text);

}  // namespace tcpscope
