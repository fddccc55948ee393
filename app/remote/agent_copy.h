// An agent that is copied to a host for as long as the connection to it holds: what the host is asked to run, and what
// is sent before the agent speaks.
//
// There, a shell makes a folder that only the user may enter, prints the machine's architecture, reads the given number
// of bytes, checks their checksum, unpacks and runs them, and removes the folder when the agent ends: at the latest
// when the connection does, for whatever reason. Nothing is sent to a machine of another architecture.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "app/remote/agent_bundle.h"
#include "app/remote/agent_collector.h"

namespace tcpscope {

/// One word for ssh, which the login shell there reads, whichever it is. The agent reports the host's further network
/// namespaces where it is to be of every one.
std::string copyCommand(bool isOfEveryNamespace = false);

/// The bytes that are copied, or an errno.
using MakeBundle = std::function<Expected<std::vector<std::byte>, int>()>;

/// Speaks with copyCommand() at the other end of the pipes until the agent runs there: what comes next are its frames.
/// Waits until the deadline, and as long as bytes still move. Fails with SystemAttempt::copyAgent: see there, EPIPE,
/// ETIMEDOUT and ECANCELED as AgentCollector::open(), ENOSPC where no folder took it and ENOTSUP where it does not run.
/// `makeBundle` is called once the machine there is known to be of this architecture.
Expected<void, SystemError> copyAgent(const AgentPipes& pipes, Moment deadline, const AgentInterrupt& interrupt,
                                      const MakeBundle& makeBundle = bundleAgent);

}  // namespace tcpscope
