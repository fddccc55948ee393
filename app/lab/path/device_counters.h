// How many packets a device has failed to send, by the kernel's own table of a network namespace (/proc/net/dev).
//
// The table's file stays with the namespace that it was opened in, wherever it is read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tcpscope::lab {

/// The column "drop" of what `device` transmits in a text like /proc/net/dev; nothing if the device is missing.
std::optional<std::uint64_t> transmitDropsIn(std::string_view table, std::string_view device);

/// The same from an open file; nothing where it cannot be read.
std::optional<std::uint64_t> readTransmitDrops(int tableDescriptor, std::string_view device);

}  // namespace tcpscope::lab
