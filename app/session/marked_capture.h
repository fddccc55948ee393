// The packets of one connection in a capture of its own, with the findings of tcpscope as comments: for Wireshark and
// for people who do not have tcpscope.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "app/session/connection_packets.h"
#include "core/base/expected.h"
#include "core/base/system_error.h"

namespace tcpscope {

struct MarkedCapture {
  std::uint64_t packets = 0;
  std::uint64_t comments = 0;
  /// Of another kind of interface than the first: the file has one.
  std::uint64_t leftOut = 0;
};

/// Reads the file once more, and writes pcapng into a new file of this name, which replaces one that exists. `goOn` as
/// for readConnection(): false leaves what has the name as it is (ECANCELED). Fails as files do, and with EEXIST where
/// it is the name of the capture that is read.
Expected<MarkedCapture, SystemError> saveMarked(const ConnectionInFile& connection, const CapturedPackets& captured,
                                                const std::filesystem::path& output,
                                                const std::function<bool(std::uint64_t)>& goOn);

}  // namespace tcpscope
