// The door between views and whatever runs a session: take the newest picture, say what is wanted. Both return at once.
#pragma once

#include <memory>

#include "core/session/session_control.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

class SessionPort {
public:
  SessionPort() = default;
  SessionPort(const SessionPort&) = delete;
  SessionPort& operator=(const SessionPort&) = delete;
  virtual ~SessionPort() = default;

  /// Newest snapshot; null before the first. May be called from any one thread.
  [[nodiscard]] virtual std::shared_ptr<const SessionSnapshot> latest() const = 0;
  /// Replaces what was wanted before.
  virtual void setControl(const SessionControl& control) = 0;
};

}  // namespace tcpscope
