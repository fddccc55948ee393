#include "core/wire/probe/probe_message.h"

#include <fmt/format.h>

#include <charconv>
#include <vector>

namespace tcpscope {

namespace {

constexpr std::string_view kMagic = "tcpscope-probe";
constexpr std::string_view kVersion = "1";
constexpr std::size_t kPacketsADigit = 4;

template <class Number>
std::optional<Number> numberOf(std::string_view word, int base = 10) {
  Number number{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number, base);
  const bool isWhole = error == std::errc() && end == word.data() + word.size();
  return isWhole ? std::optional(number) : std::nullopt;
}

/// At most so many words as any message has, and one more.
std::vector<std::string_view> wordsOf(std::string_view line) {
  constexpr std::size_t kMostWords = 8;
  std::vector<std::string_view> words;
  while (!line.empty() && words.size() < kMostWords) {
    const std::size_t end = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

std::string mapOf(const std::vector<bool>& arrived) {
  std::string map;
  map.reserve(arrived.size() / kPacketsADigit + 1);
  for (std::size_t first = 0; first < arrived.size(); first += kPacketsADigit) {
    unsigned digit = 0;
    for (std::size_t packet = 0; packet < kPacketsADigit; ++packet) {
      const bool isHere = first + packet < arrived.size() && arrived[first + packet];
      digit = digit << 1U | (isHere ? 1U : 0U);
    }
    map += "0123456789abcdef"[digit];
  }
  return map.empty() ? "-" : map;
}

std::optional<std::vector<bool>> arrivedOf(std::string_view map) {
  std::vector<bool> arrived;
  if (map == "-") return arrived;
  arrived.reserve(map.size() * kPacketsADigit);
  for (const char digit : map) {
    const auto bits = numberOf<unsigned>(std::string_view(&digit, 1), 16);
    if (!bits) return std::nullopt;
    for (unsigned bit = kPacketsADigit; bit-- > 0;) arrived.push_back((*bits >> bit & 1U) != 0);
  }
  return arrived;
}

std::string wordsOf(const ProbeGreeting& /*greeting*/) {
  return fmt::format("{} {}", kMagic, kVersion);
}
std::string wordsOf(const ProbeRunRequest& run) {
  return fmt::format("run {} {} {} {:x}", run.plan.packetSize.value(), run.plan.packets, run.plan.interval.count(),
                     run.token);
}
std::string wordsOf(const ProbeRunEnd& /*end*/) {
  return "end";
}
std::string wordsOf(const ProbeFarewell& /*farewell*/) {
  return "bye";
}
std::string wordsOf(const ProbeWelcome& welcome) {
  return fmt::format("{} {} {}", kMagic, kVersion, welcome.port);
}
std::string wordsOf(const ProbeGo& /*go*/) {
  return "go";
}
std::string wordsOf(const ProbeRefusal& /*refusal*/) {
  return "refused";
}
std::string wordsOf(const ProbeReceived& received) {
  const std::string span = received.span ? fmt::format("{}", received.span->count()) : "-";
  const std::string overflowed = received.overflowed ? fmt::format("{}", *received.overflowed) : "-";
  return fmt::format("received {} {} {} {} {} {}", received.packets, received.duplicates, received.reordered,
                     overflowed, span, mapOf(received.arrived));
}

std::optional<ProbeMessage> runOf(const std::vector<std::string_view>& words) {
  if (words.size() != 5) return std::nullopt;
  const auto size = numberOf<std::uint64_t>(words[1]);
  const auto packets = numberOf<std::uint32_t>(words[2]);
  const auto interval = numberOf<std::int64_t>(words[3]);
  const auto token = numberOf<std::uint64_t>(words[4], 16);
  if (!size || !packets || !interval || !token) return std::nullopt;
  return ProbeRunRequest{{Bytes(*size), *packets, Nanoseconds(*interval)}, *token};
}

std::optional<ProbeMessage> receivedOf(const std::vector<std::string_view>& words) {
  if (words.size() != 7) return std::nullopt;
  const auto packets = numberOf<std::uint64_t>(words[1]);
  const auto duplicates = numberOf<std::uint64_t>(words[2]);
  const auto reordered = numberOf<std::uint64_t>(words[3]);
  const auto overflowed = numberOf<std::uint64_t>(words[4]);
  const auto span = numberOf<std::int64_t>(words[5]);
  auto arrived = arrivedOf(words[6]);
  if (!packets || !duplicates || !reordered || !arrived) return std::nullopt;
  if ((!overflowed && words[4] != "-") || (!span && words[5] != "-")) return std::nullopt;
  ProbeReceived received{std::move(*arrived), *packets, *duplicates, *reordered, overflowed, {}};
  if (span) received.span = Nanoseconds(*span);
  return received;
}

}  // namespace

std::string lineOf(const ProbeMessage& message) {
  return std::visit([](const auto& one) { return wordsOf(one); }, message) + '\n';
}

std::optional<ProbeMessage> parseProbeLine(std::string_view line) {
  if (line.size() > kMostProbeLineBytes) return std::nullopt;
  const std::vector<std::string_view> words = wordsOf(line);
  if (words.empty()) return std::nullopt;
  if (words[0] == "run") return runOf(words);
  if (words[0] == "received") return receivedOf(words);
  if (words[0] == kMagic && words.size() >= 2 && words[1] == kVersion) {
    if (words.size() == 2) return ProbeGreeting{};
    const auto port = words.size() == 3 ? numberOf<std::uint16_t>(words[2]) : std::nullopt;
    return port && *port != 0 ? std::optional<ProbeMessage>(ProbeWelcome{*port}) : std::nullopt;
  }
  if (words.size() != 1) return std::nullopt;
  if (words[0] == "end") return ProbeRunEnd{};
  if (words[0] == "bye") return ProbeFarewell{};
  if (words[0] == "go") return ProbeGo{};
  if (words[0] == "refused") return ProbeRefusal{};
  return std::nullopt;
}

}  // namespace tcpscope
