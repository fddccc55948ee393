// What the two ends of a probe say to each other over TCP, a line of ASCII each; the packets themselves are UDP.
//
//   sender                          receiver
//   tcpscope-probe 1                tcpscope-probe 1 PORT          the UDP port; the version is the protocol's
//   run SIZE PACKETS INTERVAL TOKEN go                             bytes, nanoseconds; the token in hexadecimal digits
//   end                             received PACKETS DUPLICATES REORDERED OVERFLOWED SPAN MAP
//                                                                  SPAN in nanoseconds or "-"; in MAP a digit of 4
//                                                                  packets
//   bye                             refused                        another measurement runs, or what was asked is too
//   much
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
/// Without the newline. Nothing where it is no message, and where it asks for more than the limits of a run.
std::optional<ProbeMessage> parseProbeLine(std::string_view line);

}  // namespace tcpscope
