// The words of `ss` that stand for variables of `struct tcp_info`: "cwnd:10", "rtt:0.5/0.25", "busy:12ms".
//
// A variable is given where its word is present and complete, and where the word's absence means zero; the others are
// holes (TcpInfoHoles). Rates that ss rounds ("12.3Mbps") are holes, too.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "collectors/ss/ss_dialect.h"
#include "core/model/tcp_info_sample.h"

namespace tcpscope {

class SsFields {
public:
  /// `words` as they follow the word "skmem:(…)".
  void take(std::span<const std::string_view> words);
  void setState(TcpState state);
  /// Nothing where no word stood for a variable: the kernel gave no TCP_INFO.
  [[nodiscard]] TcpInfoSample sample(const SsDialect& dialect) const;
  /// Empty where none was named.
  [[nodiscard]] std::string_view congestionControl() const { return m_congestionControl; }

private:
  template <class Field>
  void put(const Field& field, std::uint64_t raw);
  void putRaw(std::size_t offset, std::size_t size, std::uint64_t raw);
  bool takeNamed(std::string_view name, std::string_view value);
  bool takePair(std::string_view name, std::string_view value);
  bool takeRate(std::string_view name, std::string_view value);
  bool takeFlag(std::string_view word);

  std::array<std::byte, tcp_info::kRehash.end()> m_bytes{};
  TcpInfoHoles m_holes = TcpInfoHoles::everywhere();
  std::string_view m_congestionControl;
  TcpState m_state = TcpState::unknown;
  std::uint8_t m_options = 0;
  bool m_isAppLimited = false;
  bool m_hasAny = false;
};

}  // namespace tcpscope
