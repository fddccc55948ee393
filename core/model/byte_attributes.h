// The one-byte attributes of socket diagnosis that a request asks for by a bit (INET_DIAG_TOS and its like), as the
// kernel reported them, by their number in include/uapi/linux/inet_diag.h. A metric row gives one of them its meaning.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tcpscope {

class ByteAttributes {
public:
  /// A request has eight bits: attributes of other numbers are not kept.
  static constexpr std::size_t kMaxNumber = 8;

  void set(std::size_t number, std::uint8_t value) {
    if (number == 0 || number > kMaxNumber) return;
    m_values[number - 1] = value;
    m_present = static_cast<std::uint8_t>(m_present | 1U << (number - 1));
  }
  /// Empty where the kernel sent none of this number.
  [[nodiscard]] std::optional<std::uint8_t> get(std::size_t number) const {
    if (number == 0 || number > kMaxNumber || (m_present >> (number - 1) & 1U) == 0) return std::nullopt;
    return m_values[number - 1];
  }
  [[nodiscard]] bool empty() const { return m_present == 0; }
  bool operator==(const ByteAttributes&) const = default;

private:
  std::array<std::uint8_t, kMaxNumber> m_values{};
  std::uint8_t m_present = 0;
};

}  // namespace tcpscope
