// Where frames go: a buffer that a writer appends to, and whatever takes its bytes away.
#pragma once

#include <cstddef>
#include <vector>

namespace tcpscope {

class FrameSink {
public:
  FrameSink() = default;
  FrameSink(const FrameSink&) = delete;
  FrameSink& operator=(const FrameSink&) = delete;
  virtual ~FrameSink() = default;

  [[nodiscard]] std::vector<std::byte>& buffer() { return m_bytes; }
  /// More may be appended.
  [[nodiscard]] virtual bool hasRoom() const { return true; }
  /// Takes away what goes now. False when nothing will go any more: see errorNumber().
  virtual bool flush() = 0;
  /// Nothing more comes for a while: what waits must not wait for it. False as flush().
  virtual bool settle() { return flush(); }
  /// 0 while it works.
  [[nodiscard]] int errorNumber() const { return m_errorNumber; }

protected:
  std::vector<std::byte> m_bytes;
  int m_errorNumber = 0;
};

}  // namespace tcpscope
