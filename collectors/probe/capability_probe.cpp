#include "collectors/probe/capability_probe.h"

#include <unistd.h>

#include <algorithm>

#include "collectors/bpf/loss_program.h"
#include "collectors/owner/process_reader.h"
#include "collectors/sock_diag/focus_sampler.h"
#include "collectors/sock_diag/network_namespace.h"
#include "collectors/sock_diag/sock_diag_poller.h"
#include "collectors/tracepoint/retransmission_collector.h"
#include "collectors/tracepoint/set_state_source.h"

namespace tcpscope {

namespace {

using Reason = CapabilityReason;
using Status = CapabilityStatus;

Reason capabilityReason(const NetlinkError& error) {
  if (error.kind == NetlinkError::Kind::notPermitted) return Reason::notPermitted;
  if (error.kind == NetlinkError::Kind::notSupported) return Reason::notSupported;
  return Reason::failed;
}

/// What one dump and one exact request show.
struct Trial {
  bool dumped = false;
  bool sampled = false;
  std::optional<SocketObservation> socket;
};

Trial tryPoller(SockDiagPoller& poller, FocusSampler& sampler) {
  Trial trial;
  poller.pollOnce([&trial](ObservationBatch&& batch) {
    trial.dumped = trial.dumped || batch.dumpEndedAt.has_value();
    for (const CollectionGap& gap : batch.gaps) {
      if (gap.kind == GapKind::requestRefused) trial.dumped = false;
    }
    const auto withInfo = std::find_if(batch.changed.begin(), batch.changed.end(),
                                       [](const SocketObservation& socket) { return !socket.info.empty(); });
    if (!trial.socket && withInfo != batch.changed.end()) trial.socket = *withInfo;
    return true;
  });
  if (trial.socket) {
    const SocketObservation& socket = *trial.socket;
    trial.sampled = sampler.sample({socket.id, socket.local, socket.remote, socket.interfaceIndex});
  }
  return trial;
}

void addSocketCapabilities(const Trial& trial, CapabilityReport& report) {
  const auto state = [&trial](bool isThere) {
    if (!trial.socket) return Status::notTried;
    return isThere ? Status::works : Status::missing;
  };
  const auto reason = [&trial](bool isThere) {
    if (!trial.socket) return Reason::nothingToTry;
    return isThere ? Reason::none : Reason::notSupported;
  };
  report.push_back({Capability::socketDump, trial.dumped ? Status::works : Status::missing,
                    trial.dumped ? Reason::none : Reason::notSupported, std::nullopt});
  report.push_back({Capability::exactRequest, state(trial.sampled), reason(trial.sampled), std::nullopt});
  CapabilityState info{Capability::tcpInfo, state(true), reason(true), std::nullopt};
  if (trial.socket) {
    info.amount = trial.socket->info.bytes().size();
    if (*info.amount < tcp_info::kKnownSize) {
      info.status = Status::limited;
      info.reason = Reason::olderKernel;
    }
  }
  report.push_back(info);
  const bool hasMemory = trial.socket && trial.socket->memory;
  report.push_back({Capability::socketMemory, state(hasMemory), reason(hasMemory), std::nullopt});
}

CapabilityState probeDestroyEvents(const SockDiagAccess& access) {
  const Expected<NetlinkChannelPointer, NetlinkError> events = access.openDestroyEvents();
  if (events) return {Capability::destroyEvents, Status::works, Reason::none, std::nullopt};
  return {Capability::destroyEvents, Status::missing, capabilityReason(events.error()), std::nullopt};
}

CapabilityState probeOwners(const std::filesystem::path& procRoot) {
  const ProcessReader reader(procRoot);
  std::uint64_t refused = 0;
  for (const std::int32_t pid : reader.pids()) refused += reader.mayListDescriptors(pid) ? 0U : 1U;
  CapabilityState state{Capability::otherUsersOwners, Status::works, Reason::none, refused};
  if (refused > 0) {
    state.status = Status::limited;
    state.reason = Reason::notPermitted;
  }
  return state;
}

/// Process 1 is the one most likely to live in a network namespace that this user may not enter.
CapabilityState probeOtherNamespaces() {
  const std::optional<NetworkNamespace> first = NetworkNamespace::parse("1");
  const Expected<NetlinkChannelPointer, NetlinkError> opened = openInNamespace(*first, DiagSocketUse::requests);
  if (opened) return {Capability::otherNamespaces, Status::works, Reason::none, std::nullopt};
  return {Capability::otherNamespaces, Status::limited, capabilityReason(opened.error()), std::nullopt};
}

CapabilityState probeEventTracing() {
  const auto opened = SetStateSource::open(PlaceId{});
  if (opened) return {Capability::eventTracing, Status::works, Reason::none, std::nullopt};
  return {Capability::eventTracing, Status::missing, opened.error(), std::nullopt};
}

CapabilityState probeDropTracing() {
  const auto opened = LossProgram::open();
  if (opened) return {Capability::dropTracing, Status::works, Reason::none, std::nullopt};
  const bool hasRetransmissions = RetransmissionCollector::open(PlaceId{}).has_value();
  return {Capability::dropTracing, hasRetransmissions ? Status::limited : Status::missing, opened.error(),
          std::nullopt};
}

/// Where root may not, no privilege helps: something else forbids it.
void nameWhatForbids(CapabilityReport& report) {
  if (geteuid() != 0) return;
  for (CapabilityState& state : report) {
    if (state.reason == Reason::notPermitted) state.reason = Reason::forbiddenByPolicy;
  }
}

}  // namespace

CapabilityReport probeCapabilities(const SockDiagAccess& access, const std::filesystem::path& procRoot) {
  CapabilityReport report;
  Expected<std::unique_ptr<SockDiagPoller>, NetlinkError> poller = SockDiagPoller::open(access, {});
  Expected<FocusSampler, NetlinkError> sampler = FocusSampler::open(access, {});
  if (poller && sampler) {
    addSocketCapabilities(tryPoller(**poller, *sampler), report);
  } else {
    const Reason reason = capabilityReason(poller ? sampler.error() : poller.error());
    for (const Capability capability :
         {Capability::socketDump, Capability::exactRequest, Capability::tcpInfo, Capability::socketMemory}) {
      report.push_back({capability, Status::missing, reason, std::nullopt});
    }
  }
  report.push_back(probeDestroyEvents(access));
  report.push_back(probeOwners(procRoot));
  report.push_back(probeOtherNamespaces());
  report.push_back(probeEventTracing());
  report.push_back(probeDropTracing());
  nameWhatForbids(report);
  return report;
}

}  // namespace tcpscope
