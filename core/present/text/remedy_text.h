// Remedies in words: what to change, what it applies to, expected gain and cost; and the lines to copy.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/advice/advice.h"

namespace tcpscope {

/// "Increase the maximum receive buffer"
std::string_view title(RemedyId id);
/// The same, with the window scaling that a larger buffer needs where the handshake lacks it.
std::string title(const Remedy& remedy);
/// What to do and why it helps, in a sentence or two.
std::string sentence(const Remedy& remedy);
/// "12.0 Mbit/s → up to 94.0 Mbit/s, if the path carries it"
std::string sentence(const ExpectedGain& gain);
/// "New connections only: this one keeps its present settings."
std::string_view reachSentence(const Remedy& remedy);
std::string_view sentence(Precondition condition);
std::string_view sentence(WhyNoAdvice why);
/// "up to 512 KiB per connection; memory pressure (tcp_mem) begins above 190 such connections"; empty without a cost.
std::string memoryText(const Remedy& remedy);
/// "For 100 Mbit/s over 20.0 ms the path may lose at most one packet in 19,873."
std::string sentence(const LossBudget& budget);
/// What a shell takes: sudo sysctl -w net.ipv4.tcp_rmem="4096 131072 524288". Socket options as the call's line.
std::string commandLine(const SettingChange& change);
/// The same for tcpscope itself, which can undo it: `apply` for what is set here, `tune` for this connection while it
/// lives; empty where only the peer can act, or nothing helps this connection.
std::string undoableLine(const Remedy& remedy, const SocketObservation& connection);
/// A message for the peer's administrator; empty where this host has to be changed.
std::string letter(const Remedy& remedy);

/// One line about a remedy, and its kind ("expected", "change"); empty where the line continues the previous kind.
struct RemedyLine {
  std::string_view label;
  std::string text;
  /// To copy as it is.
  bool isCommand = false;
};
/// All lines of a remedy except its title, in order.
std::vector<RemedyLine> linesOf(const Remedy& remedy);

}  // namespace tcpscope
