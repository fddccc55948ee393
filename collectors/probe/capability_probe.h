// Tries what watching connections needs of this machine and says what works: for `doctor`, and for hints in the views.
// What the lab needs is in lab_probe.h.
//
// Opens sockets, reads /proc, loads a program into the kernel and removes it at once. Takes some ten milliseconds: for
// a background thread.
#pragma once

#include <filesystem>

#include "collectors/sock_diag/netlink_channel.h"
#include "core/host/capability.h"

namespace tcpscope {

/// One row for each capability of watching.
CapabilityReport probeCapabilities(const SockDiagAccess& access, const std::filesystem::path& procRoot = "/proc");

}  // namespace tcpscope
