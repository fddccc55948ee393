// A session port that a test fills by hand and that remembers what was wanted last.
#pragma once

#include "core/session/session_port.h"

namespace tcpscope::test {

class RecordingPort final : public SessionPort {
public:
  [[nodiscard]] std::shared_ptr<const SessionSnapshot> latest() const override { return snapshot; }
  void setControl(const SessionControl& control) override { wanted = control; }

  std::shared_ptr<const SessionSnapshot> snapshot;
  SessionControl wanted;
};

}  // namespace tcpscope::test
