// Settings of the sock_diag collectors: the place that they observe, and how much they may hold.
#pragma once

#include <cstddef>

#include "core/model/connection_id.h"
#include "core/model/tcp_info_sample.h"

namespace tcpscope {

struct SockDiagSettings {
  PlaceId place;
  /// Which meaning the last bytes of TCP_INFO have: accecnLayoutOf(release).
  AccecnLayout accecnLayout = AccecnLayout::unknown;
  std::size_t maxSockets = 500'000;
  std::size_t socketsPerBatch = 256;
  /// Closed sockets that wait while batches are refused.
  std::size_t mostClosedKept = 4096;
  /// Exact requests after a dump, for sockets that it did not show.
  std::size_t checksPerDump = 4096;
};

}  // namespace tcpscope
