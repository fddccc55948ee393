// The protocol on an agent's pipes: trace frames, or the output of `ss`. Turns bytes into values, and the session's
// requests into bytes; never waits.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/remote/agent_means.h"
#include "collectors/trace/trace_values.h"

namespace tcpscope {

class AgentProtocol {
public:
  AgentProtocol() = default;
  AgentProtocol(const AgentProtocol&) = delete;
  AgentProtocol& operator=(const AgentProtocol&) = delete;
  virtual ~AgentProtocol() = default;

  virtual void feed(std::span<const std::byte> bytes, Moment heardAt) = 0;
  /// No more bytes come.
  virtual void end() = 0;
  /// The first is a TraceHello, or it is no agent. Nothing where more bytes are needed.
  virtual std::optional<TraceValue> next() = 0;
  /// From here on every moment is one of this host's clock.
  virtual void relateClocks(const TraceHello& hello, const ClockPair& heardAt) = 0;
  /// Appends to `out` what is to be said now; nothing where all is said.
  virtual void ask(const CollectorRequest& wanted, Moment now, std::vector<std::byte>& out) = 0;
  /// When something is to be said though nothing is heard and nothing new is wanted.
  [[nodiscard]] virtual std::optional<Moment> nextAsk() const { return std::nullopt; }
};

std::unique_ptr<AgentProtocol> openProtocol(AgentMeans means, PlaceId place);

/// What is to be added to the agent's moments to come to ours. Zero on the same boot of the same kernel; else both wall
/// clocks are taken to agree, unless that would put what was said into the future or more than ten seconds back: then
/// it is taken as said when it was heard.
Nanoseconds clockOffset(const TraceHello& hello, std::string_view ownBootId, const ClockPair& heardAt);

}  // namespace tcpscope
