// Asks tcpscope-helper on the system bus to change settings: for a program without rights.
//
// Every call waits, for a password as long as somebody takes to type it: for a background thread, and for one thread at
// a time. A change is confirmed or reverted by the same object, which the helper knows again; another one may have to
// ask for a password anew.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/changes/bus/bus_handles.h"
#include "app/changes/execute/sysctl_changer.h"
#include "core/base/expected.h"
#include "core/changes/helper_error.h"

namespace tcpscope {

class BusClient {
public:
  /// The JSON document `tcpscope.changes`.
  using Answer = Expected<std::string, HelperError>;

  /// Whether the system bus has the helper, or starts it when it is asked for; starts nothing.
  [[nodiscard]] bool isAvailable();

  /// Asks nobody for a password, as `list`.
  Answer preview(const std::vector<WantedSetting>& wanted);
  /// Whole seconds until it is undone, rounded up.
  Answer apply(const SysctlRequest& wish);
  Answer confirm(std::uint32_t change);
  Answer revert(std::uint32_t change);
  Answer list();

private:
  /// Opened anew where it broke; a negative errno where it cannot be.
  int connect();
  Answer call(const char* method, std::chrono::microseconds patience,
              const std::function<int(sd_bus_message*)>& append);

  BusHandle m_bus;
};

}  // namespace tcpscope
