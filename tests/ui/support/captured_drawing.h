// A drawn exchange as the packet graphs get it: the packets of one connection in a snapshot.
#pragma once

#include <algorithm>

#include "core/session/capture/capture_analysis.h"
#include "core/session/capture_detail.h"
#include "core/session/capture_list.h"
#include "tests/core/wire/flow/drawn_exchange.h"

namespace tcpscope::test {

inline std::shared_ptr<const CapturedPackets> capturedPackets(const std::vector<PacketSample>& samples) {
  CaptureAnalysis analysis;
  analysis.keepSeries();
  for (const PacketSample& packet : samples) analysis.take(packet);
  auto packets = std::make_shared<CapturedPackets>();
  packets->series = std::move(*analysis.releaseSeries(0));
  packets->analysis = analysis.connection(0);
  packets->initiator = analysis.flows().connections()[0]->initiator();
  return packets;
}

inline std::shared_ptr<const SessionSnapshot> snapshotOfCapture(std::shared_ptr<const CapturedPackets> packets) {
  auto snapshot = std::make_shared<SessionSnapshot>();
  const ConnectionId id = captureConnectionId(PlaceId{1}, 0);
  snapshot->details.emplace(id, detailOf(std::move(packets), id));
  return snapshot;
}

/// A transfer of so many segments of 1000 bytes, one a millisecond, over a path of 20 ms, with a window scale of 7;
/// every `lossEvery`th is lost and retransmitted 50 ms later. 0 for none.
inline std::vector<PacketSample> drawnTransfer(std::uint32_t segments, std::uint32_t lossEvery) {
  static const DrawnExchange handshake(R"(
    0.000 > S 0:0 mss 1460 ws 7 sackOK
    0.020 < SA 0:0 ack 1 mss 1460 ws 7 sackOK
    0.020 > A 1:1 ack 1
  )");
  std::vector<PacketSample> packets = handshake.samples();
  PacketSample data = packets[2];
  PacketSample acknowledgment = packets[1];
  data.flags.bits = acknowledgment.flags.bits = 0x10;
  data.options = acknowledgment.options = {};
  data.payloadBytes = 1000;
  acknowledgment.sequence = kServerInitial + 1;
  const WallTime start = data.time + Milliseconds(5);
  std::vector<std::pair<WallTime, std::uint32_t>> sent;
  std::vector<std::pair<WallTime, std::uint32_t>> arrived;
  for (std::uint32_t number = 0; number < segments; ++number) {
    const WallTime time = start + Milliseconds(number);
    const bool isLost = lossEvery > 0 && number % lossEvery == lossEvery - 1;
    sent.emplace_back(time, number);
    if (isLost) sent.emplace_back(time + Milliseconds(50), number);
    arrived.emplace_back(time + Milliseconds(isLost ? 60 : 10), number);
  }
  std::stable_sort(sent.begin(), sent.end());
  std::stable_sort(arrived.begin(), arrived.end());
  std::vector<PacketSample> later;
  for (const auto& [time, number] : sent) {
    data.time = time;
    data.sequence = kClientInitial + 1 + number * 1000;
    later.push_back(data);
  }
  std::vector<bool> isThere(std::size_t{segments} + 1, false);
  std::uint32_t next = 0;
  for (const auto& [time, number] : arrived) {
    isThere[number] = true;
    while (isThere[next]) ++next;
    acknowledgment.time = time + Milliseconds(10);
    acknowledgment.acknowledgment = kClientInitial + 1 + next * 1000;
    acknowledgment.window = static_cast<std::uint16_t>(500 + next % 100);
    later.push_back(acknowledgment);
  }
  std::stable_sort(later.begin(), later.end(),
                   [](const PacketSample& a, const PacketSample& b) { return a.time < b.time; });
  packets.insert(packets.end(), later.begin(), later.end());
  for (std::size_t number = 0; number < packets.size(); ++number) packets[number].number = number;
  return packets;
}

}  // namespace tcpscope::test
