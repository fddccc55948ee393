// Data of the stream as its user counts it: without the sequence numbers of SYN and FIN, which the kernel's
// bytes_acked and bytes_received include. Only whether the peer's FIN is among received data does not show.
#pragma once

#include <optional>

#include "core/base/units.h"

namespace tcpscope {

class TcpInfoSample;

/// What the peer acknowledged; nothing where it is not reported.
std::optional<Bytes> acknowledgedData(const TcpInfoSample& info);
/// Nothing where it is not reported.
std::optional<Bytes> receivedData(const TcpInfoSample& info);
/// It is known that neither end sent a byte.
bool carriedNothing(const TcpInfoSample& info);

}  // namespace tcpscope
