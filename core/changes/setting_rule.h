// The sysctls that tcpscope may change, and the values that it lets through: the kernel accepts more than makes sense
// (three numbers in the wrong order, a buffer of one byte), so that what is written is checked here.
//
// Ranges after Linux, Documentation/networking/ip-sysctl.rst and Documentation/admin-guide/sysctl/net.rst.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"

namespace tcpscope {

struct WantedSetting {
  std::string key;
  /// As the kernel shows it, with one blank between numbers.
  std::string value;

  bool operator==(const WantedSetting&) const = default;
};

enum class SettingRefusal : std::uint8_t {
  /// Not one of those that tcpscope changes.
  keyNotAllowed,
  /// One number wanted, or three.
  wrongCount,
  notANumber,
  outOfRange,
  /// Least, start and most have to grow.
  notOrdered,
  /// Not one of the words that this key takes.
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

/// The setting with its value as the kernel will show it, or why it is not let through.
Expected<WantedSetting, RefusedSetting> checkedSetting(std::string_view key, std::string_view value);

/// A whole request: every setting checked, none twice, not too many.
Expected<std::vector<WantedSetting>, RefusedSetting> checkedRequest(const std::vector<WantedSetting>& wanted);

/// Words with one blank between: as two readings of a value are compared.
std::string withSingleBlanks(std::string_view value);

/// In alphabetical order.
std::vector<std::string_view> allowedKeys();

}  // namespace tcpscope
