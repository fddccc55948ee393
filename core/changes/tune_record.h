// What a connection's options were before they were changed, so that it can be undone: the values, and their text in a
// file. The text may have been damaged or forged: reading it is strict and bounded.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/changes/option_value.h"

namespace tcpscope {

/// Which connection of which boot: cookies are not used twice while a kernel runs.
struct TuneKey {
  /// As /proc/sys/kernel/random/boot_id has it.
  std::string bootId;
  /// The inode of the network namespace.
  std::uint64_t networkNamespace = 0;
  std::uint64_t cookie = 0;

  /// What the record's file is called.
  [[nodiscard]] std::string fileName() const;
  bool operator==(const TuneKey&) const = default;
};

struct RecordedOption {
  SocketOption option = SocketOption::sendBuffer;
  OptionValue before;
  /// What the kernel made of the change; absent where a crash came between the change and the look at it.
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
/// Nothing where a byte is not as writeTuneRecord() writes it.
std::optional<TuneRecord> parseTuneRecord(std::string_view text);

}  // namespace tcpscope
