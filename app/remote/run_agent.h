// The agent: looks at every TCP socket of the network namespace it runs in, and where it is asked to, of the host's
// further ones, and writes what it sees as trace frames.
//
// To be called in a process of one thread, such as a fresh child that was forked inside a namespace; it starts one
// more, for the socket in focus, in the namespace of the caller. It ignores SIGPIPE in its process and never changes
// anything of the host. A reader that does not keep up costs samples, which are counted as a gap, never memory without
// end.
#pragma once

#include <functional>
#include <string>

namespace tcpscope {

struct AgentSettings {
  /// What the place is called; empty for the name of the host.
  std::string hostName;
  /// Look in /proc for the program behind each socket, and for the buffers that it set itself.
  bool resolveOwners = true;
  /// Report the host's further network namespaces, too.
  bool andOthers = false;
  /// Called once everything is open that needs rights, before the first poll.
  std::function<void()> whenSetUp{};
};

/// Trace frames go to `framesDescriptor`, requests come from `requestsDescriptor`; both stay the caller's. Returns when
/// the requests end, a stop is requested or the frames have no reader any more: 0. Returns errno where sockets cannot
/// be polled here.
int runAgent(int requestsDescriptor, int framesDescriptor, const AgentSettings& settings);

}  // namespace tcpscope
