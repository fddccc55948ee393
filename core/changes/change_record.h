// One change of a host's sysctls: requested values, original values and state. The journal stores the record before
// anything is written, so that the originals are known however the program ends.
//
// Lifecycle: planned (a ChangeRequest and its preview) → applied, on trial → confirmed | reverted. `preparing` is the
// state on disk between planned and applied.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"

namespace tcpscope {

enum class ChangeState : std::uint8_t {
  /// Journalled, perhaps partly written: a record found in this state was interrupted.
  preparing,
  /// Written, on trial: reverted at the deadline unless it is confirmed.
  applied,
  confirmed,
  /// The originals are set again, except where another program changed the value meanwhile.
  reverted,
};

/// snake_case, as in the journal and the JSON documents.
std::string_view name(ChangeState state);

struct ChangedSetting {
  std::string key;
  std::string original;
  std::string wanted;

  bool operator==(const ChangedSetting&) const = default;
};

struct ChangeRecord {
  /// Counts up from 1; later changes have greater numbers.
  std::uint32_t id = 0;
  ChangeState state = ChangeState::preparing;
  /// Boot in which it was applied (/proc/sys/kernel/random/boot_id).
  std::string bootId;
  /// Inode of the network namespace, and whether it is the initial one: only that one exists again after a boot.
  std::uint64_t networkNamespace = 0;
  bool isHostNamespace = false;
  /// Wall clock, for display only.
  std::int64_t madeAtSeconds = 0;
  /// Write a drop-in for later boots as soon as it is confirmed.
  bool persist = false;
  /// On CLOCK_BOOTTIME: reverted then unless confirmed. Absent: applied without a trial.
  std::optional<Nanoseconds> deadline;
  std::vector<ChangedSetting> settings;

  bool operator==(const ChangeRecord&) const = default;
};

/// Not reverted, as far as the journal knows.
[[nodiscard]] bool isOpen(const ChangeRecord& record);

/// The deadline has passed, or the host has booted since.
[[nodiscard]] bool isOverdue(const ChangeRecord& record, Nanoseconds bootTime, std::string_view bootId);

/// More than any record that was written.
inline constexpr std::size_t kMostRecordBytes = 32'768;

/// As the journal keeps it: lines of a name and a value, closed by `end`, which a truncated file lacks.
std::string writeChangeRecord(const ChangeRecord& record);

/// Nothing for a text that writeChangeRecord() cannot have written: an extra line, a key that is not allowed, a value
/// out of range. An original only has to be one line of printable text, since another program may have set it.
std::optional<ChangeRecord> readChangeRecord(std::string_view text);

}  // namespace tcpscope
