// One change of a host's settings: what was asked for, what was set before, how far it came. The journal keeps it
// before anything is written, so that whatever ends the program, the originals are known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"

namespace tcpscope {

enum class ChangeState : std::uint8_t {
  /// Journalled, perhaps written in part: found again, it was interrupted.
  preparing,
  /// Written, and waits to be confirmed before its time is up.
  applied,
  confirmed,
  /// Undone, but for what somebody else changed since.
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
  /// Of the boot in which it was made (/proc/sys/kernel/random/boot_id).
  std::string bootId;
  /// Inode of the network namespace, and whether it was the first process's: only that one comes back after a boot.
  std::uint64_t networkNamespace = 0;
  bool isHostNamespace = false;
  /// Seconds since 1970, for people.
  std::int64_t madeAtSeconds = 0;
  /// Also for the boots to come, once it is confirmed.
  bool persist = false;
  /// On CLOCK_BOOTTIME; it is undone then unless it was confirmed. Absent: it stays without.
  std::optional<Nanoseconds> deadline;
  std::vector<ChangedSetting> settings;

  bool operator==(const ChangeRecord&) const = default;
};

/// Whether it is in force, as far as the journal knows.
[[nodiscard]] bool isOpen(const ChangeRecord& record);

/// Whether its time to be confirmed has passed: also when the host was started anew meanwhile.
[[nodiscard]] bool isOverdue(const ChangeRecord& record, Nanoseconds bootTime, std::string_view bootId);

}  // namespace tcpscope
