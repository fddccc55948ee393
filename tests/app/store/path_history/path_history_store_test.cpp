// The path history as a real file: what is written is read back, with other writers and with existing files.
#include "app/store/path_history/path_history_store.h"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "tests/app/store/path_history/history_folder.h"
#include "tests/support/path_sightings.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::sighted;

constexpr const char* kHere = "boot:net:";

class PathHistoryStoreTest : public ::testing::Test {
protected:
  PathHistoryStore open() {
    auto store = PathHistoryStore::openToWrite(m_folder.path());
    EXPECT_TRUE(store) << static_cast<int>(store.error().kind) << " " << store.error().number;
    return std::move(store.value());
  }
  [[nodiscard]] std::vector<PathEntry> read() const {
    const auto store = PathHistoryStore::openToRead(m_folder.path());
    if (!store || !*store) return {};
    const auto entries = (*store)->entries();
    EXPECT_TRUE(entries);
    return entries ? *entries : std::vector<PathEntry>();
  }
  /// As any program could.
  void runSql(const std::string& sql) const {
    const auto database = SqliteDatabase::open(m_folder.file());
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->run(sql)) << sql;
  }
  void overwriteFile(const std::string& bytes) const { std::ofstream(m_folder.file(), std::ios::binary) << bytes; }
  [[nodiscard]] std::string fileBytes(const std::filesystem::path& file) const {
    std::ostringstream bytes;
    bytes << std::ifstream(file, std::ios::binary).rdbuf();
    return bytes.str();
  }
  [[nodiscard]] PathHistoryErrorKind whyNotWritten() const {
    const auto store = PathHistoryStore::openToWrite(m_folder.path());
    EXPECT_FALSE(store);
    return store ? PathHistoryErrorKind::failed : store.error().kind;
  }

  test::HistoryFolder m_folder;
};

TEST_F(PathHistoryStoreTest, ReadsBackWhatItWrote) {
  PathSighting sighting = sighted(1);
  sighting.retransmitted = 5;
  sighting.lossEvents = 2;
  sighting.limit = Limit::receiver;
  sighting.options = PathOptions{true, false, true, 7, {}, Bytes(1448)};
  const std::vector<PathRates> rates{{sighting.path, test::rate(94.5e6), {}}};
  ASSERT_TRUE(open().take({&sighting, 1}, rates, kHere));

  PathEntry expected(sighting.path);
  CountedConnection counted;
  takeIn(expected, counted, sighting);
  takeIn(expected, rates.front());
  EXPECT_THAT(read(), testing::ElementsAre(expected));
}

TEST_F(PathHistoryStoreTest, IsOfItsUserAlone) {
  open();
  struct stat status {};
  ASSERT_EQ(stat(m_folder.file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  ASSERT_EQ(stat(m_folder.path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
}

TEST_F(PathHistoryStoreTest, ReadingMakesNothing) {
  const auto store = PathHistoryStore::openToRead(m_folder.path());
  ASSERT_TRUE(store);
  EXPECT_FALSE(*store);
  EXPECT_FALSE(std::filesystem::exists(m_folder.path()));
}

TEST_F(PathHistoryStoreTest, AddsToWhatEarlierProgramsLeft) {
  for (std::uint64_t cookie = 1; cookie <= 3; ++cookie) {
    const PathSighting sighting = sighted(cookie);
    ASSERT_TRUE(open().take({&sighting, 1}, {}, kHere));
  }
  const PathSighting again = sighted(3);
  ASSERT_TRUE(open().take({&again, 1}, {}, kHere));
  ASSERT_EQ(read().size(), 1U);
  EXPECT_EQ(read().front().connections, 3U);
  const PathSighting afterReboot = sighted(3);
  ASSERT_TRUE(open().take({&afterReboot, 1}, {}, "another boot:net:"));
  EXPECT_EQ(read().front().connections, 4U);
}

TEST_F(PathHistoryStoreTest, ForgetsAPathAndWhatWasCountedOfIt) {
  const std::vector<PathSighting> two{sighted(1), sighted(2, "203.0.113.0/24")};
  PathHistoryStore store = open();
  ASSERT_TRUE(store.take(two, {}, kHere));
  EXPECT_EQ(store.forget(two[0].path), true);
  EXPECT_EQ(store.forget(two[0].path), false);
  ASSERT_EQ(read().size(), 1U);
  EXPECT_EQ(read().front().path, two[1].path);
  ASSERT_TRUE(store.take({two.data(), 1}, {}, kHere));
  EXPECT_EQ(store.find(two[0].path)->value().connections, 1U) << "counted from the start";
}

TEST_F(PathHistoryStoreTest, ForgetsWhatWasNotSeenForLong) {
  std::vector<PathSighting> two{sighted(1), sighted(2, "203.0.113.0/24")};
  two[1].at = test::wall(48h);
  PathHistoryStore store = open();
  ASSERT_TRUE(store.take(two, {}, kHere));
  EXPECT_EQ(store.forgetUnseenSince(test::wall(24h)), 1U);
  EXPECT_EQ(read().front().path, two[1].path);
}

TEST_F(PathHistoryStoreTest, KeepsTheNewestPathsWhereThereAreTooMany) {
  std::vector<PathSighting> many;
  for (std::uint64_t number = 0; number < kMostPaths + 10; ++number) {
    const std::string text = "10." + std::to_string(number / 256) + "." + std::to_string(number % 256) + ".0/24";
    many.push_back(sighted(number + 1, text));
    many.back().at = test::wall(std::chrono::seconds(number));
  }
  ASSERT_TRUE(open().take(many, {}, kHere));
  const auto entries = read();
  EXPECT_EQ(entries.size(), kMostPaths);
  EXPECT_EQ(entries.front().path, many.back().path);
  EXPECT_EQ(entries.back().path, many[10].path);
}

/// As a program does whose turn comes later: until the other one no longer keeps the file.
template <class Attempt>
auto whenFree(Attempt attempt) {
  auto result = attempt();
  while (!result && result.error().kind == PathHistoryErrorKind::busy) result = attempt();
  return result;
}

TEST_F(PathHistoryStoreTest, TwoWritersAtOnceLoseNothing) {
  constexpr std::uint64_t kEach = 40;
  const auto write = [&](std::uint64_t first) {
    auto store = whenFree([&] { return PathHistoryStore::openToWrite(m_folder.path()); });
    ASSERT_TRUE(store);
    for (std::uint64_t cookie = first; cookie < first + kEach; ++cookie) {
      const PathSighting sighting = sighted(cookie);
      EXPECT_TRUE(whenFree([&] { return store->take({&sighting, 1}, {}, kHere); }));
    }
  };
  const pid_t other = fork();
  if (other == 0) {
    write(1);
    _exit(::testing::Test::HasFailure() ? 1 : 0);
  }
  write(1000);
  int status = 1;
  ASSERT_EQ(waitpid(other, &status, 0), other);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read().front().connections, 2 * kEach);
  EXPECT_EQ(read().front().segments, 2 * kEach * 10'000);
}

TEST_F(PathHistoryStoreTest, GivesUpWhereAnotherProgramKeepsIt) {
  PathHistoryStore store = open();
  const auto other = SqliteDatabase::open(m_folder.file());
  ASSERT_TRUE(other && other->run("BEGIN EXCLUSIVE"));
  const PathSighting sighting = sighted(1);
  const auto taken = store.take({&sighting, 1}, {}, kHere);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().kind, PathHistoryErrorKind::busy);
  ASSERT_TRUE(other->run("COMMIT"));
  EXPECT_TRUE(store.take({&sighting, 1}, {}, kHere));
}

TEST_F(PathHistoryStoreTest, AFullDiskLosesNoEarlierSighting) {
  const PathSighting before = sighted(1);
  PathHistoryStore store = open();
  ASSERT_TRUE(store.take({&before, 1}, {}, kHere));
  rlimit small{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &small), 0);
  const rlimit usual = small;
  small.rlim_cur = std::filesystem::file_size(m_folder.file());
  const auto signal = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  std::vector<PathSighting> many;
  for (std::uint64_t number = 0; number < 500; ++number) {
    many.push_back(sighted(number + 2, "10.1." + std::to_string(number % 256) + ".0/24"));
  }
  const auto taken = store.take(many, {}, kHere);
  setrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, signal);
  ASSERT_FALSE(taken);
  EXPECT_EQ(read().size(), 1U);
  EXPECT_TRUE(store.take(many, {}, kHere)) << "once there is room";
  EXPECT_EQ(read().size(), 257U);
}

TEST_F(PathHistoryStoreTest, PutsADamagedHistoryAsideAndBeginsAnother) {
  const PathSighting sighting = sighted(1);
  ASSERT_TRUE(open().take({&sighting, 1}, {}, kHere));
  std::string bytes = fileBytes(m_folder.file());
  std::fill(bytes.begin() + 4096, bytes.end(), '\x5a');
  overwriteFile(bytes);
  const auto reading = PathHistoryStore::openToRead(m_folder.path());
  ASSERT_TRUE(reading && *reading);
  ASSERT_FALSE((*reading)->entries());
  EXPECT_EQ((*reading)->entries().error().kind, PathHistoryErrorKind::damaged);
  EXPECT_EQ(fileBytes(m_folder.file()), bytes) << "who reads moves nothing";

  PathHistoryStore store = open();
  ASSERT_TRUE(store.putAside());
  EXPECT_EQ(fileBytes(*store.putAside()), bytes);
  ASSERT_TRUE(store.take({&sighting, 1}, {}, kHere));
  EXPECT_EQ(read().size(), 1U);
}

TEST_F(PathHistoryStoreTest, PutsAsideWhatIsNoDatabaseAndWhatMakesNoSense) {
  open();
  overwriteFile("this is no database at all, but it may be of value");
  const auto aside = open().putAside();
  ASSERT_TRUE(aside);
  EXPECT_NE(fileBytes(*aside).find("may be of value"), std::string::npos);
  const PathSighting sighting = sighted(1);
  ASSERT_TRUE(open().take({&sighting, 1}, {}, kHere));
  runSql("UPDATE paths SET rtt_us = -7");
  const auto second = open().putAside();
  ASSERT_TRUE(second);
  EXPECT_NE(*second, *aside) << "each has a name of its own";
}

TEST_F(PathHistoryStoreTest, LeavesAHistoryOfALaterVersionAlone) {
  open();
  runSql("PRAGMA user_version = 2");
  const std::string bytes = fileBytes(m_folder.file());
  EXPECT_EQ(whyNotWritten(), PathHistoryErrorKind::later);
  EXPECT_EQ(PathHistoryStore::openToRead(m_folder.path()).error().kind, PathHistoryErrorKind::later);
  EXPECT_EQ(fileBytes(m_folder.file()), bytes);
}

TEST_F(PathHistoryStoreTest, LeavesAnotherProgramsFileAlone) {
  open();
  std::filesystem::remove(m_folder.file());
  std::ofstream(m_folder.file()).close();
  runSql("CREATE TABLE bookmarks (url TEXT)");
  const std::string bytes = fileBytes(m_folder.file());
  EXPECT_EQ(whyNotWritten(), PathHistoryErrorKind::foreign);
  EXPECT_EQ(PathHistoryStore::openToRead(m_folder.path()).error().kind, PathHistoryErrorKind::foreign);
  EXPECT_EQ(fileBytes(m_folder.file()), bytes);
}

TEST_F(PathHistoryStoreTest, UsesNoFolderThatOthersMayWriteTo) {
  std::filesystem::create_directories(m_folder.path());
  std::filesystem::permissions(m_folder.path(), std::filesystem::perms::all);
  EXPECT_EQ(whyNotWritten(), PathHistoryErrorKind::notOpened);
}

TEST_F(PathHistoryStoreTest, FollowsNoLink) {
  open();
  const auto elsewhere = m_folder.path() / "elsewhere";
  std::filesystem::rename(m_folder.file(), elsewhere);
  std::filesystem::create_symlink(elsewhere, m_folder.file());
  EXPECT_EQ(whyNotWritten(), PathHistoryErrorKind::notOpened);
}

TEST_F(PathHistoryStoreTest, UndoesWhatAKilledWriterBegan) {
  const PathSighting sighting = sighted(1);
  ASSERT_TRUE(open().take({&sighting, 1}, {}, kHere));
  const pid_t writer = fork();
  if (writer == 0) {
    const auto database = SqliteDatabase::open(m_folder.file());
    // So small a cache that the half of it is on disk before the end.
    static_cast<void>(database->run("PRAGMA cache_size = 1; BEGIN IMMEDIATE; UPDATE paths SET connections = 99"));
    for (int number = 0; number < 2000; ++number) {
      static_cast<void>(
          database->run("INSERT INTO counted VALUES ('" + std::to_string(number) + "', 'x', 0, 0, 0, 0)"));
    }
    _exit(0);
  }
  int status = 1;
  ASSERT_EQ(waitpid(writer, &status, 0), writer);
  EXPECT_TRUE(std::filesystem::exists(m_folder.file().string() + "-journal"));
  ASSERT_EQ(read().size(), 1U);
  EXPECT_EQ(read().front().connections, 1U);
}

}  // namespace
}  // namespace tcpscope
