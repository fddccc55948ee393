// Writes files as a tar archive (POSIX.1-2017, pax, "ustar Interchange Format"), and computes the checksum of cksum(1).
//
// Not libarchive: the agent's libraries are copied to the host with it, and libarchive would add 36 MB (ICU, which
// libxml2 needs) to the 16 MB of all others. Archives are only written here; tar(1) of the host reads them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tcpscope {

/// Names are below 100 bytes, files below 8 GiB. Only the owner may read, write and run what is unpacked.
void appendToTar(std::vector<std::byte>& archive, std::string_view name, std::span<const std::byte> content);
/// Nothing may be appended behind this.
void endTar(std::vector<std::byte>& archive);

/// As POSIX's cksum: CRC-32 with the polynomial 0x04c11db7, the length behind the bytes, inverted.
std::uint32_t posixChecksum(std::span<const std::byte> bytes);

}  // namespace tcpscope
