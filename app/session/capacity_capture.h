// Captures the packets of a few connections for a moment, to learn what their paths carry.
//
// Headers only, through a filter in the kernel for each connection; nothing is sent, and nothing kept. Where packets
// may not be captured nothing is learned, and that is no fault.
#pragma once

#include <vector>

#include "app/session/captured_stream.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

class CapacityCapture {
public:
  static constexpr std::size_t kMostConnections = 8;

  /// Begins to capture those that move data and whose next limit is not known, the first few of `details`.
  explicit CapacityCapture(const std::vector<std::shared_ptr<const ConnectionDetail>>& details);

  /// Nothing is captured.
  [[nodiscard]] bool isEmpty() const { return m_streams.empty(); }
  /// What has passed since; at least every tenth of a second.
  void take();
  /// Replaces the details of those of which something was learned.
  void teach(std::vector<std::shared_ptr<const ConnectionDetail>>& details);

private:
  struct Stream {
    ConnectionId connection;
    std::unique_ptr<LiveCapture> capture;
    CapturedStream packets;
  };
  std::vector<std::unique_ptr<Stream>> m_streams;
};

}  // namespace tcpscope
