#include "collectors/ss/ss_timer.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace tcpscope {

namespace {

struct KindName {
  std::string_view name;
  TimerKind kind;
};

constexpr std::array<KindName, 4> kKinds = {{{"on", TimerKind::retransmission},
                                             {"keepalive", TimerKind::keepAlive},
                                             {"timewait", TimerKind::timeWait},
                                             {"persist", TimerKind::windowProbe}}};

/// A number at the beginning, which is taken off.
std::optional<std::uint32_t> takeNumber(std::string_view& text) {
  std::uint32_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  if (result.ec != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(result.ptr - text.data()));
  return number;
}

bool takeUnit(std::string_view& text, std::string_view unit) {
  if (!text.starts_with(unit)) return false;
  text.remove_prefix(unit.size());
  return true;
}

std::optional<Milliseconds> timeOf(std::string_view text) {
  Milliseconds time{0};
  while (!text.empty()) {
    const auto number = takeNumber(text);
    if (!number) return std::nullopt;
    if (takeUnit(text, "min")) {
      time += std::chrono::minutes(*number);
    } else if (takeUnit(text, "sec") || takeUnit(text, ".")) {
      time += std::chrono::seconds(*number);
    } else if (takeUnit(text, "ms")) {
      time += Milliseconds(*number);
    } else {
      return std::nullopt;
    }
  }
  return time;
}

}  // namespace

std::optional<SocketTimer> parseSsTimer(std::string_view word) {
  constexpr std::string_view kBegin = "timer:(";
  if (!word.starts_with(kBegin) || !word.ends_with(')')) return std::nullopt;
  word = word.substr(kBegin.size(), word.size() - kBegin.size() - 1);
  const std::size_t afterKind = word.find(',');
  const std::size_t afterTime = word.rfind(',');
  if (afterKind == std::string_view::npos || afterTime == afterKind) return std::nullopt;
  const std::string_view name = word.substr(0, afterKind);
  const auto kind = std::find_if(kKinds.begin(), kKinds.end(), [name](const auto& one) { return one.name == name; });
  const auto expiresIn = timeOf(word.substr(afterKind + 1, afterTime - afterKind - 1));
  std::string_view rest = word.substr(afterTime + 1);
  const auto attempts = takeNumber(rest);
  if (kind == kKinds.end() || !expiresIn || !attempts || !rest.empty()) return std::nullopt;
  return SocketTimer{kind->kind, Count(*attempts), *expiresIn};
}

}  // namespace tcpscope
