// The packets of one connection of a capture, from a pass over its file that leaves out all others.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "core/session/capture/capture_analysis.h"
#include "core/session/capture/captured_packets.h"
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

/// `goOn` is asked every few thousand packets with their number; false ends the reading. `dropped`: the capture reports
/// drops.
ConnectionPackets readConnection(const ConnectionInFile& connection, bool dropped,
                                 const std::function<bool(std::uint64_t)>& goOn);

}  // namespace tcpscope
