// A history drawn as numbers: one value of the peer's receive window for each time step.
#pragma once

#include <vector>

#include "core/model/connection_history.h"
#include "tests/support/observation_builder.h"

namespace tcpscope::test {

/// Peer's windows at 0, step, 2·step … after the builder's start.
inline ConnectionHistory historyOfPeerWindows(const std::vector<std::uint32_t>& windows, Nanoseconds step) {
  ConnectionHistory history;
  Nanoseconds at{0};
  for (const std::uint32_t window : windows) {
    const SocketObservation socket = ObservationBuilder().at(at).peerWindow(window).build();
    history.append(socket.takenAt, MetricSource{socket, nullptr});
    at += step;
  }
  return history;
}

inline Moment startPlus(Nanoseconds span) {
  return Moment::fromNanoseconds(1'000'000'000) + span;
}

}  // namespace tcpscope::test
