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

/// What somebody who looks at connections misses; empty for what only other work needs.
std::string missed(const CapabilityState& state) {
  switch (state.capability) {
    case Capability::exactRequest:
      return "no fast samples of one connection";
    case Capability::tcpInfo:
      return "this kernel reports fewer variables than newer ones";
    case Capability::socketMemory:
      return "buffer sizes are not reported";
    case Capability::destroyEvents:
      return "connections that end leave no last figures";
    case Capability::otherUsersOwners:
      if (state.amount == 1U) return "1 process may not be looked into, its connections have no name";
      return state.amount
                 ? fmt::format("{} processes may not be looked into, their connections have no name", *state.amount)
                 : "programs of other users are not named";
    case Capability::socketDump:
    case Capability::otherNamespaces:
    case Capability::userNamespaces:
      break;
  }
  return {};
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

std::string notice(const CapabilityReport& report) {
  std::string text;
  for (const CapabilityState& state : report) {
    if (state.status != CapabilityStatus::limited && state.status != CapabilityStatus::missing) continue;
    const std::string what = missed(state);
    if (!what.empty()) text += (text.empty() ? "Not everything is seen: " : "; ") + what;
  }
  return text.empty() ? text : text + ".";
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
