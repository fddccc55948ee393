// Every cause of a limit with its names: the one table from which sentences, scenarios and JSON schemas follow.
//
// Complete at compile time: a cause without a row, a name or a phrase does not compile, nor does one that a schema does
// not list (core/present/json/schema).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tcpscope {

enum class Cause : std::uint8_t {
  pathFull,
  loss,
  queue,
  policer,
  reordering,
  mtu,
  pacing,
  ecn,
  slowStart,
  cwndClamp,
  bufferLocked,
  bufferLimit,
  windowScale,
  windowClamp,
  nagle,
  applicationWindow,
  noResponse,
  refused,
  slowReader,
  slowWriter,
  unknown,
};

struct CauseRow {
  Cause cause;
  /// snake_case, as in the JSON documents and in lab scenarios.
  std::string_view name;
  /// Completes the sentence about the limit (core/present/text/verdict_text.cpp).
  std::string_view phrase;
  /// For a narrow column, where the limit is the network.
  std::string_view brief = "Network";
};

inline constexpr std::size_t kCauseCount = static_cast<std::size_t>(Cause::unknown) + 1;
/// In the order of Cause.
inline constexpr std::array<CauseRow, kCauseCount> kCauses = {{
    {Cause::pathFull, "path_full", "bottleneck saturated", "Network (bottleneck saturated)"},
    {Cause::loss, "loss", "packet loss", "Network (loss)"},
    {Cause::queue, "queue", "queueing delay on the path", "Network (queueing delay)"},
    {Cause::policer, "policer", "policer drops what exceeds its rate", "Network (policer)"},
    {Cause::reordering, "reordering", "reordering causes spurious retransmissions", "Network (reordering)"},
    {Cause::mtu, "mtu", "large packets do not pass: path MTU", "Network (path MTU)"},
    {Cause::pacing, "pacing", "rate limited at the sender, as with SO_MAX_PACING_RATE", "Pacing (SO_MAX_PACING_RATE)"},
    {Cause::ecn, "ecn", "ECN CE marks", "Network (ECN CE marks)"},
    {Cause::slowStart, "slow_start", "slow start: the congestion window still grew", "Network (slow start)"},
    {Cause::cwndClamp, "cwnd_clamp", "it stands still without loss or queue: a clamp, or a route with cwnd lock",
     "Congestion window (clamp)"},
    {Cause::bufferLocked, "buffer_locked", "buffer size set by the application"},
    {Cause::bufferLimit, "buffer_limit", "buffer too small"},
    {Cause::windowScale, "window_scale", "window scale of the handshake"},
    {Cause::windowClamp, "window_clamp", "advertised window stops below what the buffer and the scale allow"},
    {Cause::nagle, "nagle", "small writes wait for acknowledgments (Nagle)"},
    {Cause::applicationWindow, "application_window", "a window of the application's own protocol"},
    {Cause::noResponse, "no_response", "the peer does not respond"},
    {Cause::refused, "refused", "the peer refuses the connection (RST)"},
    {Cause::slowReader, "slow_reader", "the receiving application reads slowly"},
    {Cause::slowWriter, "slow_writer", "the sending application provides no data"},
    {Cause::unknown, "unknown", "cause unknown"},
}};

constexpr bool isCauseTableComplete() {
  for (std::size_t index = 0; index < kCauseCount; ++index) {
    const CauseRow& row = kCauses[index];
    if (static_cast<std::size_t>(row.cause) != index || row.name.empty() || row.phrase.empty()) return false;
  }
  return true;
}
static_assert(isCauseTableComplete(), "one row per cause, in the order of Cause, each with a name and a phrase");

constexpr const CauseRow& rowOf(Cause cause) {
  return kCauses[static_cast<std::size_t>(cause)];
}

constexpr std::string_view name(Cause cause) {
  return rowOf(cause).name;
}

/// Does the text of a JSON schema have a list with the name of every cause, in quotes, that begins with the first one?
constexpr bool listsEveryCause(std::string_view schema) {
  // Compilers evaluate so many steps at most: the whole schema for every name would be too many for clang.
  constexpr std::size_t kLongestList = 1000;
  const std::string_view opening = "[\"";
  std::size_t first = schema.find(kCauses.front().name);
  while (first != std::string_view::npos && !schema.substr(0, first).ends_with(opening)) {
    first = schema.find(kCauses.front().name, first + 1);
  }
  if (first == std::string_view::npos) return false;
  schema = schema.substr(first - 1, kLongestList);
  for (const CauseRow& row : kCauses) {
    bool isListed = false;
    for (std::size_t at = schema.find(row.name); at != std::string_view::npos; at = schema.find(row.name, at + 1)) {
      const std::size_t end = at + row.name.size();
      isListed = isListed || (at > 0 && end < schema.size() && schema[at - 1] == '"' && schema[end] == '"');
    }
    if (!isListed) return false;
  }
  return true;
}

}  // namespace tcpscope
