// The files of a recording that is a ring: the one with the recording's name is written, older ones stand beside it
// with a number ("slow.000012.tcpscope" for "slow.tcpscope"), each a recording of its own, and the oldest go.
//
// What was written is never rewritten, and files are renamed atomically, so that a reader at any instant, also after a
// kill, finds all of the recording except the removed pieces.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <vector>

#include "collectors/system/owned_descriptor.h"
#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope {

/// What a recording may grow to; without limits it is one file.
struct RecordingLimits {
  std::optional<std::uint64_t> bytes;
  std::optional<Nanoseconds> age;

  [[nodiscard]] bool isRing() const { return bytes || age; }
  /// A ring that holds at least so much: more by what goes at once.
  static RecordingLimits keeping(Nanoseconds span);
};

class RecordingPieces {
public:
  RecordingPieces(std::filesystem::path path, const RecordingLimits& limits)
      : m_path(std::move(path)), m_limits(limits) {}

  /// A file for the next piece, without a name yet. None with errno. Removes the pieces that have to go for it first.
  OwnedDescriptor begin(std::uint64_t currentBytes);
  /// The new file has its begin: it takes the recording's name, and what had it becomes an older piece. False with
  /// errno.
  bool exchange(Moment currentBegin, std::uint64_t currentBytes);
  /// Discards the new file.
  void abandon();
  /// Takes away older pieces that are beyond the limits.
  void trim(Moment now, std::uint64_t currentBytes);
  /// Is the current one long enough? `stateBytes` is what a new one would begin with.
  [[nodiscard]] bool isFull(Nanoseconds currentAge, std::uint64_t currentBytes, std::uint64_t stateBytes) const;
  [[nodiscard]] std::uint64_t olderBytes() const { return m_olderBytes; }

private:
  struct Piece {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    Moment begin;
  };

  [[nodiscard]] std::uint64_t pieceBytes() const;
  void dropOldest();

  std::filesystem::path m_path;
  RecordingLimits m_limits;
  std::deque<Piece> m_older;
  std::uint64_t m_olderBytes = 0;
  std::uint32_t m_number = 0;
};

/// The older pieces' names beside a recording, whichever recording they are of.
std::vector<std::filesystem::path> piecesBeside(const std::filesystem::path& path);

}  // namespace tcpscope
