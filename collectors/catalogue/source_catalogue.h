// The catalogue of sources: one row for each source that reads this host's kernel. Nothing registers itself.
//
// Every source opens from the same Environment, so that adding one changes neither the session nor the agent.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "collectors/host/settings_watch.h"
#include "collectors/sock_diag/netlink_channel.h"
#include "collectors/sock_diag/sock_diag_settings.h"
#include "collectors/source/collector.h"
#include "collectors/tracepoint/event_rings.h"
#include "core/host/capability.h"

namespace tcpscope {

/// The access to the kernel that sources open from.
struct Environment {
  SockDiagAccess sockDiag;
  /// With the number of the place that observations belong to.
  SockDiagSettings settings;
  HostFacts facts;
  std::function<HostFacts()> readFacts;
  /// CLOCK_MONOTONIC.
  std::function<Moment()> now;
  std::filesystem::path tracefs{kTracefs};
  /// Inode of the place's network namespace; absent where unknown.
  std::optional<std::uint32_t> networkNamespace{};
};

/// What the kernel must grant before a source can be opened.
enum class SourceNeeds : std::uint8_t {
  nothing,
  /// A session is of no use without any of these sources.
  socketDiagnosis,
  /// Root, or CAP_PERFMON with CAP_DAC_READ_SEARCH for tracefs, with CAP_BPF for programs in the kernel.
  tracing,
};

struct SourceError {
  CapabilityReason reason = CapabilityReason::failed;
  /// Where socket diagnosis failed.
  std::optional<NetlinkError> netlink;
};

using OpenedSource = Expected<std::unique_ptr<Collector>, SourceError>;

struct SourceDescriptor {
  std::string_view name;
  std::string_view what;
  SourceNeeds needs = SourceNeeds::nothing;
  /// Opens what the source needs; fails with the reason why it cannot work here.
  OpenedSource (*open)(const Environment& environment);
};

std::span<const SourceDescriptor> sourceCatalogue();

}  // namespace tcpscope
