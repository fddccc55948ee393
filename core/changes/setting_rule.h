// The allow-list: sysctls that tcpscope may change, with their valid values. The kernel accepts values that make no
// sense (three numbers in the wrong order, a buffer of one byte), so they are validated here.
//
// Ranges after Linux, Documentation/networking/ip-sysctl.rst and Documentation/admin-guide/sysctl/net.rst.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"

namespace tcpscope {

struct WantedSetting {
  std::string key;
  /// As the kernel formats it, with one blank between numbers.
  std::string value;

  bool operator==(const WantedSetting&) const = default;
};

enum class SettingRefusal : std::uint8_t {
  /// Not in the allow-list.
  keyNotAllowed,
  /// Not one number, or not three.
  wrongCount,
  notANumber,
  outOfRange,
  /// Minimum, default and maximum have to grow.
  notOrdered,
  /// Not a word of this key.
  unknownWord,
  /// A request names a key twice.
  keyTwice,
  /// More keys, or more text, than a request may have.
  tooMuch,
};

inline constexpr std::size_t kMostSettings = 64;
inline constexpr std::size_t kMostRequestBytes = 4096;

struct RefusedSetting {
  std::string key;
  SettingRefusal refusal = SettingRefusal::keyNotAllowed;

  bool operator==(const RefusedSetting&) const = default;
};

enum class SettingForm : std::uint8_t {
  number,
  /// Three numbers, each at least as large as the one before.
  three,
  /// Names.
  congestionControl,
  queueDiscipline
};

/// What a sysctl takes; the ends are of numbers.
struct SettingRange {
  SettingForm form = SettingForm::number;
  std::uint64_t least = 0;
  std::uint64_t most = 0;
};

/// Absent for a key that is not in the allow-list.
std::optional<SettingRange> allowedRange(std::string_view key);
/// Those that need no parameters to be of use on any device.
std::span<const std::string_view> allowedQueueDisciplines();

/// The setting with its value as the kernel will format it, or why it is refused.
Expected<WantedSetting, RefusedSetting> checkedSetting(std::string_view key, std::string_view value);

/// A whole request: every setting checked, none twice, not too many.
Expected<std::vector<WantedSetting>, RefusedSetting> checkedRequest(const std::vector<WantedSetting>& wanted);

/// Joins the words with single blanks, to compare two values.
std::string withSingleBlanks(std::string_view value);

/// In alphabetical order.
std::vector<std::string_view> allowedKeys();

}  // namespace tcpscope
