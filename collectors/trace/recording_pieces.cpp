#include "collectors/trace/recording_pieces.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>

namespace tcpscope {

namespace {

/// A ring has room for so many pieces: what goes at once is an eighth of it.
constexpr int kPiecesInRing = 8;
/// A piece is at least so many times longer than what it begins with, or the ring would hold little else.
constexpr std::uint64_t kTimesState = 4;
constexpr std::size_t kDigits = 6;

std::filesystem::path piecePath(const std::filesystem::path& path, std::uint32_t number) {
  std::filesystem::path piece = path;
  piece.replace_filename(fmt::format("{}.{:06}{}", path.stem().string(), number, path.extension().string()));
  return piece;
}

/// Both names change hands at once, where the file system can; else one after the other.
bool exchangeNames(const std::filesystem::path& one, const std::filesystem::path& other) {
  if (renameat2(AT_FDCWD, one.c_str(), AT_FDCWD, other.c_str(), RENAME_EXCHANGE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return false;
  const std::filesystem::path between = one.string() + ".new";
  return rename(other.c_str(), between.c_str()) == 0 && rename(one.c_str(), other.c_str()) == 0 &&
         rename(between.c_str(), one.c_str()) == 0;
}

}  // namespace

std::uint64_t RecordingPieces::pieceBytes() const {
  return *m_limits.bytes / kPiecesInRing;
}

OwnedDescriptor RecordingPieces::begin(std::uint64_t currentBytes) {
  while (m_limits.bytes && !m_older.empty() && m_olderBytes + currentBytes + pieceBytes() > *m_limits.bytes)
    dropOldest();
  const std::filesystem::path path = piecePath(m_path, ++m_number);
  return OwnedDescriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
}

RecordingLimits RecordingLimits::keeping(Nanoseconds span) {
  return {{}, span * kPiecesInRing / (kPiecesInRing - 1)};
}

bool RecordingPieces::exchange(Moment currentBegin, std::uint64_t currentBytes) {
  const std::filesystem::path path = piecePath(m_path, m_number);
  if (!exchangeNames(m_path, path)) return false;
  m_older.push_back({path, currentBytes, currentBegin});
  m_olderBytes += currentBytes;
  return true;
}

void RecordingPieces::abandon() {
  ::unlink(piecePath(m_path, m_number).c_str());
}

void RecordingPieces::trim(Moment now, std::uint64_t currentBytes) {
  while (!m_older.empty() && ((m_limits.age && now - m_older.front().begin > *m_limits.age) ||
                              (m_limits.bytes && m_olderBytes + currentBytes > *m_limits.bytes))) {
    dropOldest();
  }
}

bool RecordingPieces::isFull(Nanoseconds currentAge, std::uint64_t currentBytes, std::uint64_t stateBytes) const {
  if (m_limits.age && currentAge >= *m_limits.age / kPiecesInRing) return true;
  if (!m_limits.bytes) return false;
  return currentBytes >= std::min(std::max(pieceBytes(), kTimesState * stateBytes), *m_limits.bytes / 2);
}

void RecordingPieces::dropOldest() {
  ::unlink(m_older.front().path.c_str());
  m_olderBytes -= m_older.front().bytes;
  m_older.pop_front();
}

std::vector<std::filesystem::path> piecesBeside(const std::filesystem::path& path) {
  const std::string before = path.stem().string() + '.';
  const std::string after = path.extension().string();
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  std::vector<std::filesystem::path> pieces;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(before) || !name.ends_with(after)) continue;
    if (name.size() < before.size() + after.size() + kDigits) continue;
    const std::string_view number =
        std::string_view(name).substr(before.size(), name.size() - before.size() - after.size());
    if (number.find_first_not_of("0123456789") == std::string_view::npos) pieces.push_back(entry.path());
  }
  std::sort(pieces.begin(), pieces.end());
  return pieces;
}

}  // namespace tcpscope
