// Client of tcpscope-helper on the system bus, for a program without rights.
//
// Every call blocks, with a password prompt for as long as the user types: for a background thread, one at a time. The
// helper knows the connection that made a change; confirming or reverting it from another one needs authorization
// again.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/changes/bus/bus_handles.h"
#include "app/changes/execute/sysctl_changer.h"
#include "core/base/expected.h"
#include "core/changes/change_error.h"

namespace tcpscope {

class BusClient {
public:
  /// The JSON document `tcpscope.changes`.
  using Document = Expected<std::string, ChangeError>;

  /// Whether the helper runs or is activatable; does not start it.
  [[nodiscard]] bool isAvailable();

  /// Without authorization, as `list`.
  Document preview(const std::vector<WantedSetting>& wanted);
  /// The trial is rounded up to whole seconds.
  Document apply(const ChangeRequest& request);
  Document confirm(std::uint32_t change);
  Document revert(std::uint32_t change);
  Document list();

private:
  /// Reopens a broken connection; a negative errno on failure.
  int connect();
  Document call(const char* method, std::chrono::microseconds timeout,
                const std::function<int(sd_bus_message*)>& append);

  BusHandle m_bus;
};

}  // namespace tcpscope
