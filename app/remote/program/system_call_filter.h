// Which system calls the agent may make once it is set up (seccomp(2)): what reading sockets, processes and settings
// takes, and nothing that starts programs, opens connections or writes files.
//
// Every other call fails with EPERM. Killing the process would be the stricter answer, but the C library and its name
// services (nsswitch.conf(5)) choose calls that differ between releases and hosts: an agent that loses a user's name
// goes on, one that is killed takes the view of its host with it. Either way the call is not made.
#pragma once

#include <cstdint>

namespace tcpscope {

enum class EnteredNamespaces : std::uint8_t {
  none,
  /// Children that start no program enter network namespaces, and the user namespaces that own them (setns(2)).
  network,
};

/// Of all threads of this process, for good. 0, or errno where the kernel offers no filter. Builds with sanitizers,
/// which make calls of their own, filter nothing.
int restrictSystemCalls(EnteredNamespaces namespaces = EnteredNamespaces::none);

}  // namespace tcpscope
