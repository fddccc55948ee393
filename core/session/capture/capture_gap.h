// What of a capture did not go into its analysis, or makes it less sure: everything that a reader of the results must
// know of the file, in one list.
#pragma once

#include <string_view>

#include "core/model/collection_gap.h"
#include "core/session/capture/captured_file.h"

namespace tcpscope {

enum class CaptureGapKind : std::uint8_t {
  // Faults of the file, in the order of CaptureFaultKind.
  openFailed,
  readFailed,
  empty,
  otherFormat,
  unsupportedVersion,
  cut,
  lyingLength,
  unknownInterface,
  damagedCompression,
  lostPackets,
  // Packets without a TCP segment, in the order of NoSegment.
  otherProtocol,
  tunnel,
  fragment,
  snapLength,
  malformed,
  unknownLinkType,
  withoutTime,
  repeated,
  // What else.
  droppedByCapture,
  connectionLimit,
  memoryLimit,
  backwardTime,
  stopped,
};

/// snake_case, as in the JSON documents.
std::string_view name(CaptureGapKind kind);
GapSeverity severity(CaptureGapKind kind);

struct CaptureGap {
  CaptureGapKind kind = CaptureGapKind::otherProtocol;
  /// Packets, where they are what is missing; else how often.
  std::uint64_t count = 0;
  /// In bytes of the capture after unpacking; where it was stopped, in bytes of the file.
  std::optional<std::uint64_t> offset{};
  int errorNumber = 0;
  FileFormat format = FileFormat::unknown;
  /// That is not read.
  std::optional<std::uint16_t> linkType{};
};

/// Worst first.
std::vector<CaptureGap> gapsOf(const CapturedFile& file);

}  // namespace tcpscope
