#include "core/present/text/host_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/escape.h"

namespace tcpscope {

namespace {

/// The command that sets the sysctl which prevents the lab, where one does.
std::string_view labRemedy(const CapabilityState& state) {
  const bool ofUser = state.capability == Capability::userNamespaces;
  switch (state.reason) {
    case CapabilityReason::switchedOff:
      return "sudo sysctl -w kernel.unprivileged_userns_clone=1";
    case CapabilityReason::limitReached:
      return ofUser ? "sudo sysctl -w user.max_user_namespaces=10000" : "sudo sysctl -w user.max_net_namespaces=10000";
    case CapabilityReason::restrictedByAppArmor:
      return "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
    default:
      return "";
  }
}

std::string_view because(CapabilityReason reason) {
  switch (reason) {
    case CapabilityReason::none:
      return "";
    case CapabilityReason::notPermitted:
      return "permission denied";
    case CapabilityReason::notSupported:
      return "not supported by this kernel";
    case CapabilityReason::olderKernel:
      return "the kernel is too old for the newest variables";
    case CapabilityReason::nothingToTry:
      return "there was no TCP socket to test with";
    case CapabilityReason::forbiddenByPolicy:
      return "a container or a security policy forbids it, even for root";
    case CapabilityReason::switchedOff:
      return "it is disabled for unprivileged users";
    case CapabilityReason::limitReached:
      return "the system's limit is reached";
    case CapabilityReason::restrictedByAppArmor:
      return "AppArmor allows it for selected programs only";
    case CapabilityReason::notBuilt:
      return "this program was built without libbpf or clang";
    case CapabilityReason::needsAnother:
      return "a prerequisite is missing";
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
      return "works partly";
    case CapabilityStatus::missing:
      return "does not work";
    case CapabilityStatus::notTried:
      return "not tested";
  }
  return "not tested";
}

/// What is missing in the list of connections; empty for capabilities that only the lab needs.
std::string missed(const CapabilityState& state) {
  switch (state.capability) {
    case Capability::exactRequest:
      return "no fast samples of one connection";
    case Capability::tcpInfo:
      return "this kernel reports fewer TCP_INFO fields than newer ones";
    case Capability::socketMemory:
      return "buffer sizes are not reported";
    case Capability::destroyEvents:
      return "no final figures of closed connections";
    case Capability::otherUsersOwners:
      if (state.amount == 1U) return "1 process is not accessible, its connections have no process name";
      return state.amount
                 ? fmt::format("{} processes are not accessible, their connections have no process name", *state.amount)
                 : "no process names for other users' connections";
    case Capability::otherNamespaces:
      return state.status == CapabilityStatus::limited
                 ? "no connections of some containers and other network namespaces"
                 : "no connections of containers and other network namespaces";
    case Capability::socketDump:
    case Capability::eventTracing:
    case Capability::dropTracing:
    case Capability::userNamespaces:
    case Capability::ownNetworkNamespace:
    case Capability::vethPairs:
    case Capability::tunDevices:
    case Capability::packetSockets:
    case Capability::congestionControls:
      break;
  }
  return {};
}

std::string detail(const CapabilityState& state) {
  if (state.capability == Capability::dropTracing && state.status == CapabilityStatus::limited) {
    return "retransmissions without drops";
  }
  if (!state.amount) return {};
  if (state.capability == Capability::tcpInfo) return fmt::format("{} bytes of TCP_INFO", *state.amount);
  if (state.capability == Capability::otherUsersOwners && *state.amount > 0) {
    return fmt::format("{} processes not accessible", *state.amount);
  }
  if (state.capability == Capability::congestionControls) {
    if (*state.amount > 0) return "loaded";
    if (state.status == CapabilityStatus::works) return "can be loaded";
  }
  return {};
}

}  // namespace

std::string_view title(Capability capability) {
  switch (capability) {
    case Capability::socketDump:
      return "All TCP connections of this network namespace";
    case Capability::exactRequest:
      return "Fast samples of one connection";
    case Capability::tcpInfo:
      return "TCP_INFO fields of a connection";
    case Capability::socketMemory:
      return "Buffer sizes and fill levels";
    case Capability::destroyEvents:
      return "Final figures of closed connections";
    case Capability::otherUsersOwners:
      return "Process names of other users' connections";
    case Capability::otherNamespaces:
      return "Connections in other network namespaces";
    case Capability::eventTracing:
      return "Connections that open and close, one by one";
    case Capability::dropTracing:
      return "Retransmissions, and packets dropped on this host";
    case Capability::userNamespaces:
      return "Unprivileged user namespaces, for the lab";
    case Capability::ownNetworkNamespace:
      return "Own network namespaces, for the lab";
    case Capability::vethPairs:
      return "Virtual Ethernet devices, for the lab";
    case Capability::tunDevices:
      return "TUN devices, for the lab";
    case Capability::packetSockets:
      return "Packet sockets, for the lab";
    case Capability::congestionControls:
      return "HighSpeed and gentle HighSpeed TCP, for the lab";
  }
  return "";
}

std::string_view name(Capability capability) {
  switch (capability) {
    case Capability::socketDump:
      return "socket_dump";
    case Capability::exactRequest:
      return "exact_request";
    case Capability::tcpInfo:
      return "tcp_info";
    case Capability::socketMemory:
      return "socket_memory";
    case Capability::destroyEvents:
      return "destroy_events";
    case Capability::otherUsersOwners:
      return "other_users_owners";
    case Capability::otherNamespaces:
      return "other_namespaces";
    case Capability::eventTracing:
      return "event_tracing";
    case Capability::dropTracing:
      return "drop_tracing";
    case Capability::userNamespaces:
      return "user_namespaces";
    case Capability::ownNetworkNamespace:
      return "own_network_namespace";
    case Capability::vethPairs:
      return "veth_pairs";
    case Capability::tunDevices:
      return "tun_devices";
    case Capability::packetSockets:
      return "packet_sockets";
    case Capability::congestionControls:
      return "congestion_controls";
  }
  return "";
}

std::string_view name(CapabilityStatus status) {
  switch (status) {
    case CapabilityStatus::works:
      return "works";
    case CapabilityStatus::limited:
      return "partly";
    case CapabilityStatus::missing:
      return "missing";
    case CapabilityStatus::notTried:
      return "not_tried";
  }
  return "";
}

std::string sentence(const CapabilityState& state) {
  const std::string figure = detail(state);
  const std::string_view reason = because(state.reason);
  return fmt::format("{}: {}{}{}{}", title(state.capability), statusWord(state.status),
                     figure.empty() ? "" : fmt::format(" ({})", figure), reason.empty() ? "" : ", because ", reason);
}

std::string explanation(const CapabilityState& state) {
  const std::string figure = detail(state);
  const std::string_view reason = because(state.reason);
  return fmt::format("{}{}{}", figure, figure.empty() || reason.empty() ? "" : "; ", reason);
}

std::string notice(const CapabilityReport& report) {
  std::string text;
  for (const CapabilityState& state : report) {
    if (state.status != CapabilityStatus::limited && state.status != CapabilityStatus::missing) continue;
    const std::string what = missed(state);
    if (!what.empty()) text += (text.empty() ? "Incomplete: " : "; ") + what;
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
      return state.reason == CapabilityReason::notPermitted ? "sudo tcpscope-cli list" : "";
    case Capability::otherNamespaces:
      return state.reason == CapabilityReason::notPermitted ? "sudo tcpscope-cli list --netns NAME" : "";
    case Capability::eventTracing:
      if (state.reason == CapabilityReason::notSupported) return "sudo mount -t tracefs none /sys/kernel/tracing";
      return state.reason == CapabilityReason::notPermitted ? "sudo tcpscope-cli watch --events" : "";
    case Capability::dropTracing:
      return state.reason == CapabilityReason::notPermitted ? "sudo tcpscope-cli watch --events" : "";
    case Capability::userNamespaces:
    case Capability::ownNetworkNamespace:
      return labRemedy(state);
    case Capability::vethPairs:
      return state.reason == CapabilityReason::notSupported ? "sudo modprobe veth" : "";
    case Capability::tunDevices:
      if (state.reason == CapabilityReason::notSupported) return "sudo modprobe tun";
      return state.reason == CapabilityReason::notPermitted ? "sudo chmod 0666 /dev/net/tun" : "";
    case Capability::packetSockets:
      return state.reason == CapabilityReason::notSupported ? "sudo modprobe af_packet" : "";
    case Capability::congestionControls:
      return state.reason == CapabilityReason::notPermitted ? "sudo tcpscope-cli lab congestion-controls load" : "";
    case Capability::tcpInfo:
    case Capability::socketMemory:
    case Capability::destroyEvents:
      return "";
  }
  return "";
}

namespace {

/// How many unread files are named one by one.
constexpr std::size_t kMostNamed = 3;

std::string listOf(const std::vector<UntrustedText>& paths) {
  std::string text;
  for (std::size_t index = 0; index < std::min(paths.size(), kMostNamed); ++index) {
    if (index > 0) text += ", ";
    text += forTerminal(paths[index]);
  }
  if (paths.size() > kMostNamed) text += fmt::format(" and {} more", paths.size() - kMostNamed);
  return text;
}

}  // namespace

std::string placeOf(const SysctlSource& source) {
  return fmt::format("{}:{}", forTerminal(source.path), source.line);
}

std::string bootSentence(const SysctlSources& sources, std::string_view key) {
  const std::optional<SysctlSource> setting = sources.settingOf(key);
  const std::vector<UntrustedText> unread = sources.unread();
  std::string text = setting ? fmt::format("{} sets it to {} at boot.", placeOf(*setting), forTerminal(*setting->value))
                             : std::string("No file sets it at boot.");
  if (!unread.empty()) text += fmt::format(" These files cannot be read: {}.", listOf(unread));
  return text;
}

std::string overrideSentence(const SysctlOverride& later) {
  std::string text;
  if (!later.by.empty()) {
    const SysctlSource& last = later.by.back();
    text = last.value ? fmt::format("{} would override {} at boot with {}.", placeOf(last), kOwnSysctlFile,
                                    forTerminal(*last.value))
                      : fmt::format("{} excludes it from being set at boot.", placeOf(last));
  }
  if (!later.unread.empty()) {
    if (!text.empty()) text += ' ';
    text +=
        fmt::format("These might override {} at boot, and cannot be read: {}.", kOwnSysctlFile, listOf(later.unread));
  }
  return text;
}

std::string sentence(const FoundTuner& tuner) {
  const std::string_view who = tuner.tuner == OtherTuner::tuned ? "TuneD" : "bpftune";
  if (tuner.evidence == TunerEvidence::process) return fmt::format("{} is active on this host and may change it.", who);
  return fmt::format("{} is installed on this host and may change it when active.", who);
}

}  // namespace tcpscope
