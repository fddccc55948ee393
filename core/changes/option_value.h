// A value of a socket option, in the kernel's unit or as a name; the values of one connection; requested values parsed
// from text.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/expected.h"
#include "core/changes/socket_option.h"
#include "core/changes/tune_error.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

struct OptionValue {
  std::uint64_t number = 0;
  /// Of a congestion control; empty for all other options.
  CongestionControlName name;

  bool operator==(const OptionValue&) const = default;
};

/// Per option; absent if the kernel does not have it.
class OptionValues {
public:
  [[nodiscard]] const std::optional<OptionValue>& operator[](SocketOption option) const {
    return m_values.at(at(option));
  }
  [[nodiscard]] std::optional<OptionValue>& operator[](SocketOption option) { return m_values.at(at(option)); }
  /// 0 if unknown.
  [[nodiscard]] std::uint64_t number(SocketOption option) const {
    const auto& value = (*this)[option];
    return value ? value->number : 0;
  }
  bool operator==(const OptionValues&) const = default;

private:
  static std::size_t at(SocketOption option) { return static_cast<std::size_t>(option); }

  std::array<std::optional<OptionValue>, kSocketOptions> m_values;
};

/// An option and its requested value, as setsockopt() takes it.
struct OptionChange {
  SocketOption option = SocketOption::sendBuffer;
  OptionValue value;

  bool operator==(const OptionChange&) const = default;
};

/// Letters, digits and underscores, shorter than TCP_CA_NAME_MAX.
bool isCongestionControlName(std::string_view text);

/// "SO_SNDBUF=4MiB", "TCP_CONGESTION=bbr", "SO_MAX_PACING_RATE=100Mbit": one that can be changed live, in range.
Expected<OptionChange, TuneError> parseOptionChange(std::string_view word);
/// All of them; each option once.
Expected<std::vector<OptionChange>, TuneError> parseOptionChanges(const std::vector<std::string>& words);

}  // namespace tcpscope
