// The packet graphs in words: what the plot shows, what a packet is, what the cells of the table say.
#pragma once

#include <QString>

#include "core/session/capture/captured_packets.h"
#include "ui/plots/packet_readings.h"

namespace tcpscope {

/// "12", "20.1 ms … 54.0 ms", "12.3 Mbit/s"; a dash where there is nothing.
QString readingText(const ItemReading& reading);

/// A sequence number as the graphs count, from the first of its direction: "1,449".
QString offsetText(const DirectionSeries& series, StreamOffset offset);

/// "192.0.2.1:443 → 198.51.100.2:5000, 12.3 MiB".
QString directionText(const CapturedPackets& packets, std::size_t direction);

/// What the plot shows in sentences. `averagedOver`: of rates.
QString describeGraph(PacketGraph graph, const DirectionSeries& series, const std::vector<ItemReading>& readings,
                      Nanoseconds screen, std::optional<Nanoseconds> averagedOver);

/// Lines about one packet; empty where there is none. `start`: what the time axis calls 0.
QString describePacket(const PointedPacket& packet, const DirectionSeries& series, Moment start);

}  // namespace tcpscope
