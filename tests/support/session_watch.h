// Waiting for what a running session shows, and finding a connection in it.
#pragma once

#include <chrono>
#include <optional>
#include <thread>

#include "core/session/session_port.h"

namespace tcpscope::test {

/// The first snapshot for which `condition` holds; null after a minute.
template <class Condition>
std::shared_ptr<const SessionSnapshot> waitForSnapshot(const SessionPort& session, Condition condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::chrono::steady_clock::now() < deadline) {
    const auto snapshot = session.latest();
    if (snapshot && condition(*snapshot)) return snapshot;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return nullptr;
}

/// Empty where the snapshot shows no such connection.
inline std::optional<ConnectionRow> rowOf(const SessionSnapshot& snapshot, std::uint64_t cookie) {
  for (const std::uint32_t slot : *snapshot.order) {
    if (snapshot.row(slot).id.cookie == cookie) return snapshot.row(slot);
  }
  return std::nullopt;
}

}  // namespace tcpscope::test
