// Hands a capture over to Wireshark, where it is installed: what tcpscope finds, it shows packet by packet.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>

namespace tcpscope {

/// Starts Wireshark with the file and a display filter, and does not wait for it; false where it is not installed, or
/// does not start. `frame`: number of the packet that is selected there, from 1.
bool startWireshark(const QString& file, const QString& displayFilter,
                    std::optional<std::uint64_t> frame = std::nullopt);

}  // namespace tcpscope
