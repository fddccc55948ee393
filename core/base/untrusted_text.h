// Text from outside tcpscope: process names, unit names, interface names, a remote agent's strings.
//
// It leaves this type only through an escaper for the sink it goes to (escape.h), so that a process name cannot move
// the cursor, inject HTML or break a CSV file.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <utility>

namespace tcpscope {

class UntrustedText {
public:
  UntrustedText() = default;
  explicit UntrustedText(std::string bytes) : m_bytes(std::move(bytes)) {}

  /// The bytes as they came: for comparing and for the escapers, never for showing.
  [[nodiscard]] const std::string& rawBytes() const { return m_bytes; }
  [[nodiscard]] bool empty() const { return m_bytes.empty(); }

  /// Keeps at most so many bytes, up to the end of a character. True where there were more.
  bool cut(std::size_t longest);

  auto operator<=>(const UntrustedText&) const = default;

private:
  std::string m_bytes;
};

}  // namespace tcpscope
