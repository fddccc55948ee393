#include "collectors/probe/control_probe.h"

#include <unistd.h>

#include "collectors/bpf/registered_controls.h"

namespace tcpscope {

namespace {

std::size_t loadedCount(const LoadedControls& states) {
  return static_cast<std::size_t>(std::count_if(
      states.begin(), states.end(), [](const LoadedControl& state) { return state.holder != ControlHolder::none; }));
}

CapabilityReason reasonOfFailure(ControlFailure failure, bool isRoot) {
  switch (failure) {
    case ControlFailure::notPermitted:
      // Where root may not, no privilege helps.
      return isRoot ? CapabilityReason::forbiddenByPolicy : CapabilityReason::notPermitted;
    case ControlFailure::notSupported:
      return CapabilityReason::notSupported;
    case ControlFailure::notBuilt:
      return CapabilityReason::notBuilt;
    case ControlFailure::nameTaken:
    case ControlFailure::noBpfFileSystem:
    case ControlFailure::failed:
      break;
  }
  return CapabilityReason::failed;
}

}  // namespace

CapabilityState controlCapability(const LoadedControls& states, Expected<void, ControlFailure> trial, bool isRoot) {
  const std::size_t loaded = loadedCount(states);
  CapabilityState state{Capability::congestionControls, CapabilityStatus::works, CapabilityReason::none, loaded};
  if (loaded == states.size() || trial) return state;
  state.status = loaded > 0 ? CapabilityStatus::limited : CapabilityStatus::missing;
  state.reason = reasonOfFailure(trial.error(), isRoot);
  return state;
}

CapabilityState probeCongestionControls() {
  const LoadedControls states = readLoadedControls();
  const bool needsTrial = loadedCount(states) < states.size();
  return controlCapability(states, needsTrial ? tryLoadingControls() : Expected<void, ControlFailure>(),
                           geteuid() == 0);
}

}  // namespace tcpscope
