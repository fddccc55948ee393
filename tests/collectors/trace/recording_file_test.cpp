#include "collectors/trace/recording_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "collectors/trace/recording_pieces.h"

namespace tcpscope {
namespace {

/// A file of this test alone, gone with the object.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::vector<std::byte>& bytes) : m_path(std::filesystem::temp_directory_path()) {
    std::string pattern = m_path / "tcpscope-test-XXXXXX";
    const int descriptor = mkstemp(pattern.data());
    close(descriptor);
    m_path = pattern;
    std::ofstream(m_path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(m_path); }
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
  std::filesystem::path m_path;
};

/// Whole headers, each with a few bytes that zstd cannot unpack.
std::vector<std::byte> damagedSegments(std::size_t count) {
  constexpr std::array<std::byte, 4> kNoZstd = {std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto header = segmentHeaderBytes({Moment(), Moment(), true, kNoZstd.size()});
    bytes.insert(bytes.end(), header.begin(), header.end());
    bytes.insert(bytes.end(), kNoZstd.begin(), kNoZstd.end());
  }
  return bytes;
}

/// That this process read from files so far (proc(5), io); nothing where the kernel does not count it.
std::optional<std::uint64_t> bytesReadSoFar() {
  std::ifstream io("/proc/self/io");
  std::string word;
  std::uint64_t count = 0;
  if (!(io >> word >> count) || word != "rchar:") return std::nullopt;
  return count;
}

TEST(RecordingFile, DamageInEverySegmentIsReadOnceOrTwice) {
  if (!bytesReadSoFar()) GTEST_SKIP() << "the kernel does not count what a process reads";
  constexpr std::size_t kSegments = 5'000;
  const std::vector<std::byte> bytes = damagedSegments(kSegments);
  const TemporaryFile file(bytes);
  const std::uint64_t before = bytesReadSoFar().value_or(0);
  auto recording = RecordingFile::open(file.path());
  ASSERT_TRUE(recording);
  std::size_t missing = 0;
  while ((*recording)->next().empty() && (*recording)->takeMissing()) ++missing;
  EXPECT_EQ(missing, kSegments - 1) << "behind the last one nothing follows";
  EXPECT_TRUE((*recording)->isCut());
  const std::uint64_t read = bytesReadSoFar().value_or(0) - before;
  // A search reads 256 bytes for each segment of 38; reading them in chunks adds the file once.
  EXPECT_LT(read, 10 * bytes.size());
}

TEST(RecordingLimits, OfARingHoldWhatIsKeptBesideThePieceThatGoes) {
  using std::chrono::seconds;
  EXPECT_EQ(RecordingLimits::keeping(seconds(70)).age, seconds(80)) << "seven of eight pieces stay";
}

}  // namespace
}  // namespace tcpscope
