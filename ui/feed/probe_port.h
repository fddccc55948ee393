// The door to a probe of a path: packets of its own from this host to a listener. Nothing is sent before start(). All
// calls return at once and come from the GUI thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/wire/probe/probe_analysis.h"

namespace tcpscope {

struct ProbeRequest {
  /// As typed: HOST:PORT of a listener, or ssh://HOST to start one there.
  std::string target;
  /// Of the larger packets.
  BitsPerSecond rate = kDefaultProbeRate;
  /// Of both runs.
  Nanoseconds time = kDefaultProbeTime;
};

enum class ProbePhase : std::uint8_t {
  none,
  /// The listener is being reached, or started.
  connecting,
  sending,
  done,
  failed,
  /// Nothing more is sent; there is no result.
  cancelled
};

struct ProbeState {
  ProbePhase phase = ProbePhase::none;
  /// As typed, escaped.
  std::string target;
  /// Of the sending, and about how long that takes.
  Nanoseconds elapsed{0};
  Nanoseconds total{0};
  /// Failed: what happened, why, what to do.
  std::string notice;
  /// Done: what was measured, rejected or not; null else.
  std::shared_ptr<const ProbeAnalysis> analysis;

  [[nodiscard]] bool isRunning() const { return phase == ProbePhase::connecting || phase == ProbePhase::sending; }
};

class ProbePort {
public:
  ProbePort() = default;
  ProbePort(const ProbePort&) = delete;
  ProbePort& operator=(const ProbePort&) = delete;
  virtual ~ProbePort() = default;

  /// One at a time: nothing happens while one runs.
  virtual void start(const ProbeRequest& request) = 0;
  virtual void cancel() = 0;
  [[nodiscard]] virtual ProbeState state() = 0;
};

}  // namespace tcpscope
