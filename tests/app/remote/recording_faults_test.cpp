// Recordings whose medium fails, that are a ring, that are read from the middle, or that an older version made.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <set>

#include "app/session/recorded_session.h"
#include "collectors/trace/recording_output.h"
#include "collectors/trace/recording_reader.h"
#include "collectors/trace/trace_writer.h"
#include "tests/support/built_paths.h"
#include "tests/support/trace_examples.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

/// A folder of this test alone, gone with the object.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = std::filesystem::temp_directory_path() / "tcpscope-test-XXXXXX";
    if (mkdtemp(pattern.data()) != nullptr) m_path = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(m_path); }
  [[nodiscard]] std::filesystem::path file() const { return m_path / "slow.tcpscope"; }
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (const auto& entry : std::filesystem::directory_iterator(m_path)) sum += entry.file_size();
    return sum;
  }

private:
  std::filesystem::path m_path;
};

/// Looks a second apart at many connections of which some do something.
class Recorder {
public:
  Recorder(const std::filesystem::path& path, RecordingSettings settings) {
    settings.now = [this] { return m_now; };
    auto output = RecordingOutput::create(path, std::move(settings));
    if (!output) return;
    m_output = std::move(*output);
    TraceWriter(m_output->buffer()).write(test::exampleHello());
  }

  /// False once the medium failed.
  bool poll() {
    ObservationBatch batch;
    for (std::uint64_t cookie = 1; cookie <= kSockets; ++cookie) {
      if (m_polls > 0 && cookie % 10 != static_cast<std::uint64_t>(m_polls) % 10) continue;
      batch.changed.push_back(
          test::ObservationBuilder().cookie(cookie).at(1s * m_polls).acked(cookie * 977U * m_polls).build());
    }
    m_now = batch.changed.front().takenAt;
    batch.dumpEndedAt = m_now;
    batch.unchanged = kSockets - batch.changed.size();
    TraceWriter(m_output->buffer()).write(batch);
    ++m_polls;
    return m_output->settle();
  }
  RecordingOutput& output() { return *m_output; }
  [[nodiscard]] Moment now() const { return m_now; }

  static constexpr std::uint64_t kSockets = 200;

private:
  std::unique_ptr<RecordingOutput> m_output;
  Moment m_now;
  unsigned m_polls = 0;
};

struct Seen {
  std::size_t sockets = 0;
  std::optional<Moment> first;
  std::optional<Moment> last;
  std::size_t dumps = 0;
  std::uint64_t gaps = 0;
  std::set<std::uint64_t> cookies;
};

/// Everything from here to the end.
Seen read(RecordingReader& reader) {
  Seen seen;
  while (auto value = reader.next()) {
    const auto* batch = std::get_if<ObservationBatch>(&*value);
    if (batch == nullptr) continue;
    seen.sockets += batch->changed.size();
    for (const SocketObservation& socket : batch->changed) seen.cookies.insert(socket.id.cookie);
    for (const CollectionGap& gap : batch->gaps) seen.gaps += gap.count;
    if (!batch->dumpEndedAt) continue;
    ++seen.dumps;
    seen.last = batch->dumpEndedAt;
    if (!seen.first) seen.first = batch->dumpEndedAt;
  }
  return seen;
}

class FailingMedium : public testing::TestWithParam<int> {};

TEST_P(FailingMedium, KeepsEveryWholeSegmentAndSaysWhatHappened) {
  const TemporaryFolder folder;
  RecordingSettings settings;
  std::size_t room = 40'000;
  settings.write = [&](int descriptor, const void* bytes, std::size_t size) -> ssize_t {
    const std::size_t fits = std::min(room, size);
    room -= fits;
    if (fits > 0) return ::write(descriptor, bytes, fits);
    errno = GetParam();
    return -1;
  };
  Recorder recorder(folder.file(), settings);
  std::size_t polls = 0;
  while (recorder.poll()) ++polls;
  ASSERT_GT(polls, 5U);
  EXPECT_EQ(recorder.output().errorNumber(), GetParam());
  EXPECT_FALSE(recorder.output().finish());
  const auto reader = RecordingReader::open(folder.file(), PlaceId{0});
  ASSERT_TRUE(reader.has_value());
  const Seen seen = read(**reader);
  EXPECT_EQ(seen.dumps, polls);
  EXPECT_EQ(seen.gaps, 0U);
}

INSTANTIATE_TEST_SUITE_P(Recording, FailingMedium, testing::Values(ENOSPC, EIO, EDQUOT, EFBIG));

TEST(Recording, ThatCannotEvenBeginLeavesTheOneBefore) {
  const TemporaryFolder folder;
  Recorder first(folder.file(), {});
  ASSERT_TRUE(first.poll());
  ASSERT_TRUE(first.output().finish());
  RecordingSettings full;
  full.write = [](int, const void*, std::size_t) -> ssize_t { return errno = ENOSPC, -1; };
  Recorder second(folder.file(), full);
  EXPECT_FALSE(second.poll());
  EXPECT_TRUE(RecordingReader::open(folder.file(), PlaceId{0}).has_value());
}

TEST(Recording, LosesOnlyTheSegmentThatWasDamaged) {
  const TemporaryFolder folder;
  Recorder recorder(folder.file(), {});
  for (int poll = 0; poll < 100; ++poll) ASSERT_TRUE(recorder.poll());
  ASSERT_TRUE(recorder.output().finish());
  {
    std::fstream stream(folder.file(), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(std::filesystem::file_size(folder.file()) / 2));
    stream.write("\0\1\2\3\4\5\6\7", 8);
  }
  const auto reader = RecordingReader::open(folder.file(), PlaceId{0});
  ASSERT_TRUE(reader.has_value());
  const Seen seen = read(**reader);
  EXPECT_GE(seen.dumps, 98U);
  EXPECT_LT(seen.dumps, 100U);
  EXPECT_GE(seen.gaps, 1U);
  EXPECT_EQ(seen.last, recorder.now());
}

TEST(Recording, IsReadFromTheMiddleWithAllThatWasKnownThen) {
  const TemporaryFolder folder;
  Recorder recorder(folder.file(), {});
  for (int poll = 0; poll < 600; ++poll) ASSERT_TRUE(recorder.poll());
  ASSERT_TRUE(recorder.output().finish());
  const auto reader = RecordingReader::open(folder.file(), PlaceId{0});
  ASSERT_TRUE(reader.has_value());
  EXPECT_EQ((*reader)->end(), recorder.now());
  const Seen whole = read(**reader);
  EXPECT_EQ(whole.dumps, 600U);
  const Moment begin = *whole.first;
  for (const auto wanted : {400s, 30s, 599s, 0s}) {
    (*reader)->seek(begin + wanted);
    const Seen seen = read(**reader);
    EXPECT_LE(*seen.first, begin + wanted + 1s);
    EXPECT_GE(*seen.first, begin + wanted - 120s);
    EXPECT_EQ(seen.last, recorder.now());
    EXPECT_EQ(seen.cookies.size(), Recorder::kSockets) << "also those that did nothing since";
    EXPECT_EQ(seen.gaps, 0U);
  }
}

TEST(RecordingRing, KeepsWithinItsBytesAndHasTheNewest) {
  const TemporaryFolder folder;
  RecordingSettings settings;
  settings.limits.bytes = 200'000;
  settings.note = UntrustedText("a night at the office");
  Recorder recorder(folder.file(), settings);
  for (int poll = 0; poll < 2000; ++poll) {
    ASSERT_TRUE(recorder.poll());
    ASSERT_LE(folder.bytes(), 200'000U);
    if (poll % 50 != 0) continue;
    // At any time it is whole, ends now, and lists every socket.
    const auto reader = RecordingReader::open(folder.file(), PlaceId{0});
    ASSERT_TRUE(reader.has_value());
    const Seen seen = read(**reader);
    EXPECT_EQ(seen.last, recorder.now());
    EXPECT_EQ(seen.cookies.size(), Recorder::kSockets);
    EXPECT_EQ(seen.gaps, 0U);
  }
  ASSERT_TRUE(recorder.output().finish());
  const auto reader = RecordingReader::open(folder.file(), PlaceId{0});
  ASSERT_TRUE(reader.has_value());
  EXPECT_EQ((*reader)->about()->note, UntrustedText("a night at the office"));
  EXPECT_EQ((*reader)->hello().place.host, UntrustedText("sender"));
  const Seen seen = read(**reader);
  EXPECT_GE((*reader)->hello().clock.monotonic, *seen.first - 2s) << "the begin is where what is left begins";
  EXPECT_GT(seen.dumps, 100U);
  EXPECT_EQ(seen.dumps, static_cast<std::size_t>((*seen.last - *seen.first) / 1s) + 1) << "no look is missing between";
}

TEST(RecordingRing, KeepsTheLastSeconds) {
  const TemporaryFolder folder;
  RecordingSettings settings;
  settings.limits.age = 80s;
  Recorder recorder(folder.file(), settings);
  for (int poll = 0; poll < 500; ++poll) ASSERT_TRUE(recorder.poll());
  const auto reader = RecordingReader::open(folder.file(), PlaceId{0});
  ASSERT_TRUE(reader.has_value());
  const Seen seen = read(**reader);
  EXPECT_LE(*seen.last - *seen.first, 80s);
  EXPECT_GE(*seen.last - *seen.first, 60s);
}

TEST(RecordingRing, AnotherRecordingOfTheSameNameTakesItsPiecesAway) {
  const TemporaryFolder folder;
  RecordingSettings settings;
  settings.limits.age = 80s;
  Recorder ring(folder.file(), settings);
  for (int poll = 0; poll < 100; ++poll) ASSERT_TRUE(ring.poll());
  EXPECT_GT(piecesBeside(folder.file()).size(), 3U);
  Recorder next(folder.file(), {});
  ASSERT_TRUE(next.poll());
  EXPECT_TRUE(piecesBeside(folder.file()).empty());
}

TEST(RecordingRing, AFifoAmongItsPiecesIsPassedOver) {
  const TemporaryFolder folder;
  Recorder recorder(folder.file(), {});
  ASSERT_TRUE(recorder.poll());
  ASSERT_EQ(mkfifo((folder.file().parent_path() / "slow.000001.tcpscope").c_str(), 0600), 0);
  EXPECT_TRUE(RecordingReader::open(folder.file(), PlaceId{0}).has_value());
  Recorder next(folder.file(), {});
  EXPECT_TRUE(next.poll());
}

TEST(Recording, IsNotWrittenThroughLinksThatAwaitIt) {
  const TemporaryFolder folder;
  const std::filesystem::path victim = folder.file().parent_path() / "victim";
  std::ofstream(victim) << "precious";
  std::filesystem::create_symlink(victim, folder.file().string() + ".part");
  Recorder recorder(folder.file(), {});
  ASSERT_TRUE(recorder.poll());
  EXPECT_EQ(std::filesystem::file_size(victim), 8U);
  const auto rights = std::filesystem::status(folder.file()).permissions();
  EXPECT_EQ(rights, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

class OlderVersion : public testing::TestWithParam<const char*> {};

TEST_P(OlderVersion, IsRead) {
  const std::filesystem::path path = test::testData() / "recordings" / GetParam();
  const auto recorded = RecordedSession::read(path, {});
  ASSERT_TRUE(recorded.has_value());
  const auto snapshot = (*recorded)->atEnd();
  EXPECT_TRUE(snapshot->gaps.empty());
  bool isLimitedByReceiver = false;
  for (const auto& detail : (*recorded)->details(*snapshot)) {
    isLimitedByReceiver |= detail->row.limit == Limit::receiver;
  }
  EXPECT_TRUE(isLimitedByReceiver);
}

INSTANTIATE_TEST_SUITE_P(Recording, OlderVersion, testing::Values("version1.tcpscope", "version1-frames.tcpscope"));

}  // namespace
}  // namespace tcpscope
