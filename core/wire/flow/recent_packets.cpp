#include "core/wire/flow/recent_packets.h"

#include <algorithm>
#include <cstring>

namespace tcpscope {

namespace {

/// Longer than a packet waits between two places, shorter than any identification takes to come again.
constexpr Nanoseconds kLongestWay = std::chrono::seconds(1);
/// From one interface of a host to the next where nothing waits.
constexpr Nanoseconds kShortWay = std::chrono::milliseconds(1);
constexpr Nanoseconds kSlowWay = std::chrono::milliseconds(20);
/// The shortest wait of a timer.
constexpr Nanoseconds kShortestTimeout = std::chrono::milliseconds(200);
/// Where a value of 8 bytes stands in options as nearly all stacks write them: timestamps behind two fillers, and the
/// first block of a SACK behind those.
constexpr std::size_t kTimestampsAt = 4;
constexpr std::size_t kFirstBlockAt = 16;

std::uint64_t valueAt(const PacketSample& packet, std::size_t offset) {
  std::uint64_t word = 0;
  std::memcpy(&word, packet.options.data() + offset, sizeof word);
  return word;
}

Nanoseconds distance(WallTime one, WallTime other) {
  return one < other ? other - one : one - other;
}

constexpr bool holds(const PacketSample& packet, std::size_t offset) {
  return packet.options.size() >= offset + sizeof(std::uint64_t);
}

}  // namespace

std::uint32_t RecentPackets::keyOf(const PacketSample& packet, std::uint32_t flow) {
  constexpr std::uint64_t kFactor = 0xD6E8FEB86659FD93ULL;
  const auto mixed = [](std::uint64_t value) {
    value *= kFactor;
    return value ^ value >> 32;
  };
  std::uint64_t key = mixed(std::uint64_t{packet.sequence} << 32 | packet.acknowledgment);
  key = mixed(key ^
              (std::uint64_t{packet.payloadBytes} << 32 | std::uint64_t{packet.window} << 16 | packet.identification));
  if (holds(packet, kTimestampsAt)) key = mixed(key ^ valueAt(packet, kTimestampsAt));
  if (holds(packet, kFirstBlockAt)) [[unlikely]] {
    key = mixed(key ^ valueAt(packet, kFirstBlockAt));
  }
  return static_cast<std::uint32_t>(mixed(key ^ (std::uint64_t{flow} << 8 | packet.flags.bits)));
}

const RecentPackets::Seen* RecentPackets::find(std::uint32_t key, WallTime time) const {
  constexpr std::size_t kAtOnce = 16;
  const Seen* nearest = nullptr;
  for (std::size_t block = 0; block < kPackets; block += kAtOnce) {
    // Without a branch, so that many are compared at once.
    bool isHere = false;
    for (std::size_t index = block; index < block + kAtOnce; ++index) isHere |= m_keys[index] == key;
    if (!isHere) continue;
    for (std::size_t index = block; index < block + kAtOnce; ++index) {
      if (m_keys[index] != key) continue;
      if (nearest == nullptr || distance(m_seen[index].time, time) < distance(nearest->time, time)) {
        nearest = &m_seen[index];
      }
    }
  }
  return nearest;
}

/// Some senders write the same number into all of their packets.
bool RecentPackets::hasUniqueIdentification(const PacketSample& packet, std::uint32_t flow, std::uint32_t key) const {
  if (packet.identification == 0) return false;
  for (std::size_t index = 0; index < kPackets; ++index) {
    const Seen& seen = m_seen[index];
    const bool isOther = seen.flow == flow && m_keys[index] != key && seen.time != WallTime();
    if (isOther && seen.identification == packet.identification) return false;
  }
  return true;
}

PacketLikeness RecentPackets::compare(const PacketSample& packet, std::uint32_t flow,
                                      const CopyEvidence& evidence) const {
  const std::uint32_t key = keyOf(packet, flow);
  const Seen* const seen = find(key, packet.time);
  if (seen == nullptr || seen->flow != flow) return PacketLikeness::none;
  const Nanoseconds apart = distance(seen->time, packet.time);
  if (apart > kLongestWay) return PacketLikeness::none;
  const bool isElsewhere = seen->interface != packet.interface || seen->hopLimit != packet.hopLimit;
  // Some stacks retransmit with the same identification; copies at the same place follow one another at once.
  const bool isSoon = apart <= kSlowWay;
  if ((isSoon || isElsewhere) && hasUniqueIdentification(packet, flow, key)) return PacketLikeness::copy;
  const bool saysNothingNew = evidence.repeatsAcknowledgment && !holds(packet, kFirstBlockAt);
  if (saysNothingNew) {
    if (apart > kShortWay) return PacketLikeness::none;
    return isElsewhere ? PacketLikeness::copy : PacketLikeness::undecided;
  }
  if (isElsewhere && apart <= kSlowWay && !evidence.rtt) return PacketLikeness::copy;
  return likenessByTime(seen->time, packet.time, evidence.rtt);
}

PacketLikeness likenessByTime(WallTime one, WallTime other, const std::optional<Nanoseconds>& rtt) {
  const Nanoseconds apart = distance(one, other);
  if (apart <= (rtt ? std::min(*rtt / 2, kSlowWay) : kShortWay)) return PacketLikeness::copy;
  const bool isUnclear = !rtt && apart < kShortestTimeout;
  return isUnclear ? PacketLikeness::undecided : PacketLikeness::none;
}

}  // namespace tcpscope
