// What works at a place, and why something does not: plain values, made by the collectors' probe. The sentences, with
// the command that mends it, are in core/present/text/host_text.h.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace tcpscope {

enum class Capability : std::uint8_t {
  /// All sockets by dump.
  socketDump,
  /// One socket by exact request.
  exactRequest,
  tcpInfo,
  socketMemory,
  /// The kernel reports destroyed sockets.
  destroyEvents,
  /// Process names of other users' sockets.
  otherUsersOwners,
  /// Entering network namespaces that are not ours.
  otherNamespaces,
  /// Connections that open and close, one by one.
  eventTracing,
  /// Retransmissions, and packets that this host drops, with the kernel's reason. Limited: retransmissions alone.
  dropTracing,
  // What the lab needs, each within the one before it:
  /// A user namespace of one's own, without rights.
  userNamespaces,
  /// A network namespace of one's own.
  ownNetworkNamespace,
  /// A pair of virtual Ethernet devices there.
  vethPairs,
  /// A TUN device there.
  tunDevices,
  /// Sockets that read and write whole packets there.
  packetSockets,
  /// Congestion controls of the papers as programs in the kernel.
  congestionControls,
};
/// Those that watching connections needs, and those of the lab.
inline constexpr std::size_t kWatchCapabilityCount = 9;
inline constexpr std::size_t kLabCapabilityCount = 6;

enum class CapabilityStatus : std::uint8_t { works, limited, missing, notTried };

enum class CapabilityReason : std::uint8_t {
  none,
  notPermitted,
  /// This kernel does not have it, or not loaded.
  notSupported,
  /// Fewer variables of TCP_INFO than are known: see `amount`.
  olderKernel,
  /// There was no socket to try it on.
  nothingToTry,
  /// Not even root may: a container or a security policy forbids it.
  forbiddenByPolicy,
  /// A sysctl switches it off for users without rights.
  switchedOff,
  /// A sysctl allows no more of them.
  limitReached,
  /// AppArmor takes the rights away that a user namespace gives.
  restrictedByAppArmor,
  /// This program was built without what it takes.
  notBuilt,
  /// Something else has to work first.
  needsAnother,
  failed,
};

struct CapabilityState {
  Capability capability = Capability::socketDump;
  CapabilityStatus status = CapabilityStatus::notTried;
  CapabilityReason reason = CapabilityReason::none;
  /// tcpInfo: bytes that this kernel reports. otherUsersOwners: processes that may not be looked into.
  /// congestionControls: how many are loaded.
  std::optional<std::uint64_t> amount;

  bool operator==(const CapabilityState&) const = default;
};

/// One row a capability, in the order of the enumeration, none twice.
using CapabilityReport = std::vector<CapabilityState>;

}  // namespace tcpscope
