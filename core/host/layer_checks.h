// The checks of a host by layer, lower layers first: each group is a source file.
#pragma once

#include <optional>
#include <vector>

#include "core/host/host_checkup.h"

namespace tcpscope {

// link_checks.cpp: one network interface, its hardware and its queue.

/// What a bus carries: transfers a second and lane, in billions, and lanes.
BitsPerSecond busRateOf(double gts, std::uint32_t lanes);

/// Adds none for an interface that is down, and none of hardware where there is none. `hostForwards`: whether packets
/// are passed on between interfaces.
void addLinkChecks(std::vector<CheckRow>& rows, const LinkReading& before, const LinkReading& after,
                   std::optional<bool> hostForwards);

// bus_checks.cpp: who shares an adapter's place on the bus.

/// Adds none for an interface that is down or has no hardware.
void addBusChecks(std::vector<CheckRow>& rows, const LinkReading& link, const HostReading& before,
                  const HostReading& after);

// interrupt_checks.cpp: an adapter's interrupts, and whether its queues share the processors.

/// Adds none for an interface that is down or has no hardware. Both links are of the hosts' readings.
void addInterruptChecks(std::vector<CheckRow>& rows, const LinkReading& linkBefore, const LinkReading& linkAfter,
                        const HostReading& before, const HostReading& after);

// processor_checks.cpp: the processors' work on packets that came.

void addProcessorChecks(std::vector<CheckRow>& rows, const HostReading& before, const HostReading& after);

// network_checks.cpp: packet sizes, tunnels and routes.

/// Of one interface that is up; a tunnel gets a row of its own.
void addPacketSizeChecks(std::vector<CheckRow>& rows, const LinkReading& link);

void addRouteChecks(std::vector<CheckRow>& rows, const HostReading& reading);

// transport_checks.cpp: TCP itself, its counters, its memory and what it remembers.

/// The reverse path, whose counter stands among TCP's, with them.
void addTransportChecks(std::vector<CheckRow>& rows, const HostReading& before, const HostReading& after);

}  // namespace tcpscope
