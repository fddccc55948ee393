// Bytes that wait for a pipe, a socket or a file to take them: writes what goes without waiting, keeps the rest up to a
// bound.
//
// The descriptor's mode is not changed, because others may share it: a pipe that is ready takes 4 KiB without blocking,
// a socket is asked not to block, a file always takes everything.
#pragma once

#include "collectors/trace/frame_sink.h"

namespace tcpscope {

class FrameOutput final : public FrameSink {
public:
  /// The descriptor stays the caller's.
  explicit FrameOutput(int descriptor);

  [[nodiscard]] int descriptor() const { return m_descriptor; }
  /// Fewer bytes wait than the bound: the next frames may be appended.
  [[nodiscard]] bool hasRoom() const override { return waiting() < kMaxWaiting; }
  [[nodiscard]] std::size_t waiting() const { return m_bytes.size() - m_written; }
  bool flush() override;

private:
  enum class Kind { pipe, socket, file };
  static constexpr std::size_t kMaxWaiting = 4U << 20;

  [[nodiscard]] bool isReady() const;

  int m_descriptor;
  Kind m_kind;
  std::size_t m_written = 0;
};

}  // namespace tcpscope
