#include "app/lab/path/packet_pool.h"

#include <utility>

namespace tcpscope::lab {

namespace {

/// Room for a packet of the usual MTU from the start, so that memory that held an acknowledgement fits a full one.
constexpr std::size_t kUsualRoom = 2048;

}  // namespace

Packet::Packet(Packet&& other) noexcept
    : m_bytes(std::move(other.m_bytes)), m_pool(std::exchange(other.m_pool, nullptr)) {}

Packet& Packet::operator=(Packet&& other) noexcept {
  if (this != &other) {
    giveBack();
    m_bytes = std::move(other.m_bytes);
    m_pool = std::exchange(other.m_pool, nullptr);
  }
  return *this;
}

Packet::~Packet() {
  giveBack();
}

void Packet::giveBack() {
  if (m_pool != nullptr) m_pool->m_idle.push_back(std::move(m_bytes));
  m_pool = nullptr;
}

Packet Packet::copy() const {
  return m_pool == nullptr ? Packet() : m_pool->make(m_bytes);
}

Packet PacketPool::make(std::span<const std::uint8_t> bytes) {
  std::vector<std::uint8_t> memory;
  if (m_idle.empty()) {
    memory.reserve(kUsualRoom);
  } else {
    memory = std::move(m_idle.back());
    m_idle.pop_back();
  }
  memory.assign(bytes.begin(), bytes.end());
  return {std::move(memory), *this};
}

}  // namespace tcpscope::lab
