// The door to this host's check-up. All calls return at once and come from the GUI thread.
#pragma once

#include <memory>
#include <vector>

#include "core/checkup/host_checkup.h"

namespace tcpscope {

struct HostCheckupState {
  std::vector<CheckRow> rows;
  /// What was counted meanwhile is in the rows.
  Nanoseconds lookedFor{0};
};

class CheckupPort {
public:
  CheckupPort() = default;
  CheckupPort(const CheckupPort&) = delete;
  CheckupPort& operator=(const CheckupPort&) = delete;
  virtual ~CheckupPort() = default;

  /// Reads the host once more; what is counted counts from the first reading on.
  virtual void look() = 0;
  /// Counts from the next reading on.
  virtual void startAnew() = 0;
  /// Null until the host was read twice.
  [[nodiscard]] virtual std::shared_ptr<const HostCheckupState> state() = 0;
};

}  // namespace tcpscope
