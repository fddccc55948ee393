// The log of a path in a file that others read while it grows, usually a memfd: records of one size, in the order of
// the events, appended whole.
//
// The writer keeps its own place, so that a reader may share the descriptor. A full disk or a closed descriptor loses
// events, and the writer says how many. Bytes that are no record end the reading: the log is not read past them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "app/lab/path/path_log.h"

namespace tcpscope::lab {

constexpr std::size_t kPathRecordBytes = 64;

/// One record. Little-endian: time 8, kind 1, family 1, link 2, ports 2 + 2, sequence 4, payload 4, addresses 16 + 16,
/// zeros.
std::array<std::uint8_t, kPathRecordBytes> encodePathEvent(const PathEvent& event);
/// Nothing where kind or family is unknown.
std::optional<PathEvent> decodePathEvent(std::span<const std::uint8_t, kPathRecordBytes> record);

class PathLogWriter {
public:
  /// The descriptor stays the owner's; -1 keeps nothing.
  explicit PathLogWriter(int descriptor) : m_descriptor(descriptor) {}

  void append(const PathEvent& event);
  /// Writes what waits.
  void flush();
  /// Events that could not be written.
  [[nodiscard]] Count lost() const { return m_lost; }

private:
  int m_descriptor;
  std::uint64_t m_offset = 0;
  std::vector<std::uint8_t> m_pending;
  Count m_lost;
};

/// Events from record number `first` on, as far as they are written whole.
std::vector<PathEvent> readPathLog(int descriptor, std::size_t first = 0);

}  // namespace tcpscope::lab
