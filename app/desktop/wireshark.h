// Hands a capture over to Wireshark, where it is installed: what tcpscope finds, it shows packet by packet.
#pragma once

#include <QString>

namespace tcpscope {

/// Starts Wireshark with the file and a display filter, and does not wait for it; false where it is not installed, or
/// does not start.
bool startWireshark(const QString& file, const QString& displayFilter);

}  // namespace tcpscope
