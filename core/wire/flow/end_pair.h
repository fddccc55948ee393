// The two ends of a connection, whichever of them sends.
#pragma once

#include "core/wire/flow/capture_connection.h"

namespace tcpscope {

class EndPair {
public:
  EndPair(const Endpoint& one, const Endpoint& other) : m_one(one), m_other(other) {}
  explicit EndPair(const CaptureConnection& connection) : EndPair(connection.endpoint(0), connection.endpoint(1)) {}

  [[nodiscard]] bool hold(const PacketSample& packet) const { return hold(packet.source, packet.destination); }
  [[nodiscard]] bool areThoseOf(const CaptureConnection& connection) const {
    return hold(connection.endpoint(0), connection.endpoint(1));
  }

private:
  [[nodiscard]] bool hold(const Endpoint& one, const Endpoint& other) const {
    return (one == m_one && other == m_other) || (one == m_other && other == m_one);
  }

  Endpoint m_one;
  Endpoint m_other;
};

}  // namespace tcpscope
