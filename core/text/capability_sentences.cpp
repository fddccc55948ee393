#include "core/text/capability_sentences.h"

#include <fmt/format.h>

namespace tcpscope {

namespace {

std::string_view because(CapabilityReason reason) {
  switch (reason) {
    case CapabilityReason::none:
      return "";
    case CapabilityReason::notPermitted:
      return "this user may not";
    case CapabilityReason::notSupported:
      return "this kernel does not have it";
    case CapabilityReason::olderKernel:
      return "the kernel is older than the newest variables";
    case CapabilityReason::nothingToTry:
      return "there was no TCP socket to try it on";
    case CapabilityReason::failed:
      return "the system refused it";
  }
  return "";
}

std::string_view statusWord(CapabilityStatus status) {
  switch (status) {
    case CapabilityStatus::works:
      return "works";
    case CapabilityStatus::limited:
      return "works in part";
    case CapabilityStatus::missing:
      return "does not work";
    case CapabilityStatus::notTried:
      return "was not tried";
  }
  return "was not tried";
}

std::string detail(const CapabilityState& state) {
  if (!state.amount) return {};
  if (state.capability == Capability::tcpInfo) return fmt::format(" ({} bytes of TCP_INFO)", *state.amount);
  if (state.capability == Capability::otherUsersOwners && *state.amount > 0) {
    return fmt::format(" ({} processes may not be looked into)", *state.amount);
  }
  return {};
}

}  // namespace

std::string_view title(Capability capability) {
  switch (capability) {
    case Capability::socketDump:
      return "Every TCP connection of this network namespace";
    case Capability::exactRequest:
      return "Fast samples of one connection";
    case Capability::tcpInfo:
      return "The kernel's variables of a connection";
    case Capability::socketMemory:
      return "Buffer sizes and fill levels";
    case Capability::destroyEvents:
      return "Last figures of connections that end";
    case Capability::otherUsersOwners:
      return "Process names of other users' connections";
    case Capability::otherNamespaces:
      return "Connections in other network namespaces";
    case Capability::userNamespaces:
      return "Network namespaces of one's own, for the lab";
  }
  return "";
}

std::string sentence(const CapabilityState& state) {
  const std::string_view reason = because(state.reason);
  return fmt::format("{}: {}{}{}{}", title(state.capability), statusWord(state.status), detail(state),
                     reason.empty() ? "" : ", since ", reason);
}

std::string_view remedyCommand(const CapabilityState& state) {
  if (state.status == CapabilityStatus::works || state.status == CapabilityStatus::notTried) return "";
  switch (state.capability) {
    case Capability::socketDump:
    case Capability::exactRequest:
      return state.reason == CapabilityReason::notSupported ? "sudo modprobe tcp_diag" : "";
    case Capability::otherUsersOwners:
      return "sudo tcpscope-cli list";
    case Capability::otherNamespaces:
      return "sudo tcpscope-cli list --netns NAME";
    case Capability::userNamespaces:
      return "sudo sysctl -w user.max_user_namespaces=10000";
    case Capability::tcpInfo:
    case Capability::socketMemory:
    case Capability::destroyEvents:
      return "";
  }
  return "";
}

}  // namespace tcpscope
