// The messages between sender and listener of a probe over TCP, a line of ASCII each; the packets themselves are UDP.
//
//   sender                           listener
//   tcpscope-probe 1                 tcpscope-probe 1 PORT    version of the protocol, UDP port
//   run SIZE PACKETS INTERVAL TOKEN  go                       bytes, nanoseconds, hexadecimal; or: refused
//   end                              received PACKETS DUPLICATES REORDERED OVERFLOWED SPAN MAP
//   bye
//
// SPAN is in nanoseconds; it and OVERFLOWED are "-" where unknown. Each digit of MAP stands for four packets.
// `refused`: the run is beyond the limits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/wire/probe/probe_run.h"

namespace tcpscope {

/// Of the sender.
struct ProbeGreeting {};
struct ProbeRunRequest {
  ProbeRunPlan plan;
  std::uint64_t token = 0;
};
struct ProbeRunEnd {};
struct ProbeFarewell {};
/// Of the receiver.
struct ProbeWelcome {
  std::uint16_t port = 0;
};
struct ProbeGo {};
struct ProbeRefusal {};

using ProbeMessage = std::variant<ProbeGreeting, ProbeRunRequest, ProbeRunEnd, ProbeFarewell, ProbeWelcome, ProbeGo,
                                  ProbeRefusal, ProbeReceived>;

/// The longest that is said: the map of the longest run.
inline constexpr std::size_t kMostProbeLineBytes = 300'000;

/// With its newline.
std::string lineOf(const ProbeMessage& message);
/// Without the newline. Nothing where it is no message. What a run asks for may be beyond all limits (isWithinLimits).
std::optional<ProbeMessage> parseProbeLine(std::string_view line);

}  // namespace tcpscope
