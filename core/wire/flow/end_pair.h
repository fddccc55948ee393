// The two ends of a connection, whichever of them sends.
#pragma once

#include "core/model/packet_sample.h"

namespace tcpscope {

class EndPair {
public:
  EndPair(const Endpoint& one, const Endpoint& other) : m_one(one), m_other(other) {}

  [[nodiscard]] bool hold(const PacketSample& packet) const { return hold(packet.source, packet.destination); }
  [[nodiscard]] bool hold(const Endpoint& one, const Endpoint& other) const {
    return (one == m_one && other == m_other) || (one == m_other && other == m_one);
  }

private:
  Endpoint m_one;
  Endpoint m_other;
};

}  // namespace tcpscope
