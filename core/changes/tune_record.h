// The originals of a connection's options, and their text in a file. The text may be damaged or forged: its reader is
// strict and bounded.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
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

/// Changes that are reverted at the deadline unless they are confirmed.
struct TuneTrial {
  /// On CLOCK_BOOTTIME.
  Nanoseconds deadline{};
  /// Of the socket: finds a process that holds it at the deadline.
  std::uint32_t inode = 0;
  /// The options that the trial changed, with their values before it.
  std::vector<RecordedOption> changed;
  /// The options of the record before the trial.
  std::vector<RecordedOption> earlier;

  bool operator==(const TuneTrial&) const = default;
};

struct TuneRecord {
  TuneKey key;
  /// Each option once, with its value before the first change: an undo restores these, on trial or not.
  std::vector<RecordedOption> options;
  std::optional<TuneTrial> trial{};

  [[nodiscard]] const RecordedOption* find(SocketOption option) const;
  [[nodiscard]] RecordedOption* find(SocketOption option);
  bool operator==(const TuneRecord&) const = default;
};

/// The deadline of its trial has passed.
[[nodiscard]] bool isOverdue(const TuneRecord& record, Nanoseconds bootTime);

inline constexpr std::size_t kLongestTuneRecord = 4096;

std::string writeTuneRecord(const TuneRecord& record);
/// Nothing for a text that writeTuneRecord() cannot have written.
std::optional<TuneRecord> parseTuneRecord(std::string_view text);

}  // namespace tcpscope
