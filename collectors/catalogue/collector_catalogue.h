// The list of collectors: one row each. Nothing registers itself.
#pragma once

#include <memory>
#include <span>

#include "collectors/sock_diag/netlink_channel.h"
#include "collectors/sock_diag/sock_diag_settings.h"
#include "collectors/source/collector.h"

namespace tcpscope {

struct CollectorRow {
  std::string_view name;
  std::string_view what;
  /// Opens what it needs; fails where this place does not let it collect.
  Expected<std::unique_ptr<Collector>, NetlinkError> (*open)(const SockDiagAccess& access,
                                                             const SockDiagSettings& settings);
};

std::span<const CollectorRow> collectorCatalogue();

}  // namespace tcpscope
