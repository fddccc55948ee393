// The packets of one connection of a capture, from a pass over its file that leaves out all others.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "collectors/pcap/capture_reader.h"
#include "core/session/capture/capture_analysis.h"
#include "core/session/capture/captured_packets.h"
#include "core/session/capture/packet_places.h"
#include "core/wire/flow/end_pair.h"

namespace tcpscope {

/// About 2 GB.
inline constexpr std::uint64_t kMostSeriesPackets = 40'000'000;

/// Packets between two questions whether to go on.
inline constexpr std::uint64_t kReadBetweenQuestions = 4096;

/// Which connection of a file: connections with the same ends follow each other.
struct ConnectionInFile {
  std::filesystem::path file;
  EndPair ends;
  /// Connections with the same ends before it.
  std::size_t sameBefore = 0;
  bool insideTunnels = false;

  static ConnectionInFile of(std::filesystem::path file, const CaptureAnalysis& analysis, std::size_t index);
};

struct ConnectionPackets {
  /// Null where the file does not hold the connection any more.
  std::shared_ptr<CapturedPackets> captured;
  /// It has so many packets that only the first of them are here.
  bool leftPacketsOut = false;
};

/// Each pass asks `goOn` every few thousand packets with their number; false ends it. `dropped`: the capture reports
/// drops.
ConnectionPackets readConnection(const ConnectionInFile& connection, bool dropped,
                                 const std::function<bool(std::uint64_t)>& goOn);

/// The same from the places of the connection's packets, with the reader that found them. Nothing where they cannot be
/// read that way, or others stand there by now.
std::optional<ConnectionPackets> readConnectionAt(CaptureReader& reader, PacketPlaces::Walk places, const EndPair& ends,
                                                  bool dropped, const std::function<bool(std::uint64_t)>& goOn);

/// The index of the connection that the packet with this number, from 0, belongs to, by a pass over the file up to it.
/// `goOn` as above. Nothing where the packet holds no segment of a connection.
std::optional<std::size_t> findConnectionOf(const std::filesystem::path& file, const CaptureAnalysis& analysis,
                                            std::uint64_t number, const std::function<bool()>& goOn);

}  // namespace tcpscope
