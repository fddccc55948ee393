// One change of a host's sysctls: requested values, original values and state. The journal stores the record before
// anything is written, so that the originals are known however the program ends.
//
// Lifecycle: planned (a ChangeRequest and its preview) → applied, on trial → confirmed | reverted. `preparing` is the
// state on disk between planned and applied. A boot ends whatever is not confirmed and persistent: `gone`.
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
  /// The boot or network namespace in which it was made has ended, and the settings with it.
  gone,
};

enum class SettingVersion : std::uint8_t { original, changed };

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
  /// What is set at present: a comparison of both sets the originals for a while.
  SettingVersion inForce = SettingVersion::changed;
  std::vector<ChangedSetting> settings;

  bool operator==(const ChangeRecord&) const = default;
};

/// Neither reverted nor gone, as far as the journal knows.
[[nodiscard]] bool isOpen(const ChangeRecord& record);

/// It is open, and the deadline of its trial has passed.
[[nodiscard]] bool isOverdue(const ChangeRecord& record, Nanoseconds bootTime);

/// It is open, and a boot has reset its settings: only a confirmed change that persists outlives that.
[[nodiscard]] bool endedWithItsBoot(const ChangeRecord& record, std::string_view bootId);

/// More than any record that was written.
inline constexpr std::size_t kMostRecordBytes = 32'768;

/// As the journal keeps it: lines of a name and a value, closed by `end`, which a truncated file lacks.
std::string writeChangeRecord(const ChangeRecord& record);

/// Nothing for a text that writeChangeRecord() cannot have written: an extra line, a key that is not allowed, a value
/// out of range. An original only has to be one line of printable text, since another program may have set it.
std::optional<ChangeRecord> readChangeRecord(std::string_view text);

}  // namespace tcpscope
