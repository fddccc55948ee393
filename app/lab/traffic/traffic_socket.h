// Sockets of the traffic's programs, with every option that the scenario asks for, each read back: an option that this
// machine does not take is an error, never another value.
//
// Made inside of the host's namespace, whose own CAP_NET_ADMIN allows every congestion control that the kernel has.
#pragma once

#include "app/lab/traffic/traffic_plan.h"
#include "collectors/system/owned_descriptor.h"

namespace tcpscope::lab {

/// Listens where the plan's connections go to; never blocks.
Expected<OwnedDescriptor, LabError> openListener(const TrafficPlan& plan);

/// Bound to the source of connection number `stream`, not yet connected; never blocks.
Expected<OwnedDescriptor, LabError> openSource(const TrafficPlan& plan, std::size_t stream);

/// Asks for the connection; true unless the kernel refuses at once.
bool beginConnection(int socket, const Endpoint& destination);

/// A connection that waits at the listener, never blocking, and the port it comes from; none: a negative descriptor.
struct IncomingConnection {
  OwnedDescriptor socket;
  std::uint16_t sourcePort = 0;
};
IncomingConnection acceptConnection(int listener);

/// TCP_WINDOW_CLAMP of a connection. Before the first data has shown the kernel how packets fill their memory, it
/// recomputes the clamp from the buffer (tcp_measure_rcv_mss in tcp_input.c).
Expected<void, LabError> clampWindow(int socket, Bytes clamp);

}  // namespace tcpscope::lab
