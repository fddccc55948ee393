// SIGINT and SIGTERM end a command early, but what is known is still printed: they only set a flag and wake a wait.
#pragma once

#include "core/base/moment.h"

namespace tcpscope {

class Interruption {
public:
  /// From here on the two signals interrupt instead of ending the process. One object a process.
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  enum class Wake { time, interrupted, key };
  /// Waits for the moment, an interruption, or a key where `keyDescriptor` is one.
  Wake waitUntil(Moment moment, int keyDescriptor = -1) const;
  [[nodiscard]] bool happened() const;
  /// Readable from the interruption on.
  [[nodiscard]] int wakeDescriptor() const { return m_descriptor; }

private:
  int m_descriptor = -1;
};

}  // namespace tcpscope
