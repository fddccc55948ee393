#include "collectors/bpf/drop_reasons.h"

#include <algorithm>

namespace tcpscope {

namespace {

constexpr std::string_view kPrefix = "SKB_DROP_REASON_";

/// From include/net/dropreason-core.h, tcp_input.c and af_packet.c.
constexpr std::array<std::string_view, 12> kNoLosses = {
    // Delivered, and freed by way of the same function.
    "SKB_NOT_DROPPED_YET", "SKB_CONSUMED",
    // A duplicate: the receiver has its data already, in order or out of order.
    "TCP_OLD_DATA", "TCP_OLD_SEQUENCE", "TCP_OFOMERGE", "DUP_FRAG",
    // An acknowledgment that was overtaken, or came twice.
    "TCP_OLD_ACK", "TCP_RFC7323_PAWS_ACK",
    // The RST was obeyed.
    "TCP_RESET",
    // A copy for a packet socket, such as that of a capture; the packet itself goes on.
    "PACKET_SOCK_ERROR",
    // For another host, seen in promiscuous mode.
    "OTHERHOST",
    // Arrived, and still in the queue of a socket when it ended.
    "QUEUE_PURGE"};

}  // namespace

bool isNoLoss(std::string_view reason) {
  return std::find(kNoLosses.begin(), kNoLosses.end(), reason) != kNoLosses.end();
}

void DropReasons::add(std::uint32_t number, std::string_view enumerator) {
  if (enumerator.starts_with(kPrefix)) enumerator.remove_prefix(kPrefix.size());
  m_names.emplace(number, enumerator);
}

DropReason DropReasons::reason(std::uint32_t number) const {
  const auto found = m_names.find(number);
  return {found == m_names.end() ? std::string() : found->second, number};
}

std::optional<std::uint32_t> DropReasons::numberOf(std::string_view name) const {
  const auto found =
      std::find_if(m_names.begin(), m_names.end(), [name](const auto& one) { return one.second == name; });
  return found == m_names.end() ? std::nullopt : std::optional(found->first);
}

std::array<std::uint64_t, kBitmapWords> DropReasons::noLoss() const {
  std::array<std::uint64_t, kBitmapWords> bits{};
  for (const auto& [number, name] : m_names) {
    if (!isNoLoss(name) || number >= kBitmapWords * kBitsPerWord) continue;
    bits.at(number / kBitsPerWord) |= std::uint64_t{1} << number % kBitsPerWord;
  }
  return bits;
}

}  // namespace tcpscope
