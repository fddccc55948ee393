// What was wrong with a capture: why it cannot be opened, where reading stopped, what it says that it has lost.
//
// What stands before a fault is good and is used. Offsets are in bytes of the capture after unpacking.
#pragma once

#include <cstdint>

namespace tcpscope {

/// File format of bytes, as far as their first ones show.
enum class FileFormat : std::uint8_t {
  unknown,
  pcap,
  pcapng,
  // Captures that others write.
  snoop,
  erf,
  networkMonitor,
  sniffer,
  netXray,
  omniPeek,
  iptrace,
  btsnoop,
  // What else people have in such a folder.
  tcpscopeRecording,
  text,
  html,
  xml,
  json,
  // Packed in a way that is not unpacked here, or twice.
  gzip,
  zstd,
  xz,
  bzip2,
  lz4,
  compress,
  zip,
  sevenZip,
  tar,
  pdf,
  elf,
  sqlite,
  image,
};

enum class CaptureFaultKind : std::uint8_t {
  /// The file cannot be opened: see the errno.
  openFailed,
  /// The system failed while it was read: see the errno.
  readFailed,
  /// There is not a single byte.
  empty,
  /// It is no capture, or one of another format: see `format`.
  otherFormat,
  /// A capture whose version, byte order or link type is not defined.
  unsupportedVersion,
  /// It ends in the middle of something; the offset is where it ends.
  cut,
  /// A length that cannot be. The offset is that of the record or block that says it.
  lyingLength,
  /// A packet of an interface that the capture has not described; the packet is left out.
  unknownInterface,
  /// The bytes cannot be unpacked from here on.
  damagedCompression,
  /// The capture says that packets are missing before the next one.
  lostPackets,
};

struct CaptureFault {
  CaptureFaultKind kind = CaptureFaultKind::readFailed;
  std::uint64_t offset = 0;
  /// Of `otherFormat`.
  FileFormat format = FileFormat::unknown;
  /// 0 where the system gave none.
  int errorNumber = 0;
  /// That are missing because of it, where it is known how many.
  std::uint64_t packets = 0;

  bool operator==(const CaptureFault&) const = default;
};

}  // namespace tcpscope
