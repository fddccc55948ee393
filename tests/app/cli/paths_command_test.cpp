// `paths` as a user runs it, over a history of his own that it finds, or not.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "app/store/path_history/path_history_store.h"
#include "core/present/json/path_document.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/own_state_folder.h"
#include "tests/support/path_sightings.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

class PathsCommandTest : public ::testing::Test {
protected:
  [[nodiscard]] std::filesystem::path file() const { return m_state.path() / "paths" / "book.sqlite"; }
  void write() const {
    const std::vector<PathSighting> two{test::sighted(1), test::sighted(2, "2001:db8:7::/48")};
    const std::vector<PathRates> rates{{two[0].path, test::rate(94e6), test::rate(5e6, Limit::application)}};
    auto store = PathHistoryStore::openToWrite(file().parent_path());
    ASSERT_TRUE(store && store->take(two, rates, "boot:"));
  }

  test::OwnStateFolder m_state;
};

TEST_F(PathsCommandTest, SaysThatNothingIsKnownYet) {
  const auto outcome = test::runCommandLine({"paths"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.out.find("The path history is empty"), std::string::npos);
  EXPECT_EQ(test::runCommandLine({"paths", "198.51.100.7"}).code, 1);
  EXPECT_FALSE(std::filesystem::exists(file().parent_path())) << "reading creates nothing";
}

TEST_F(PathsCommandTest, ListsThePathsAsTextAndAsADocument) {
  write();
  const auto table = test::runCommandLine({"paths"});
  EXPECT_NE(table.out.find("198.51.100.0/24"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("at least 5.00 Mbit/s"), std::string::npos) << table.out;
  const auto document = test::runCommandLine({"paths", "--json"});
  EXPECT_TRUE(test::conformsTo(pathsSchema(), document.out));
  EXPECT_EQ(nlohmann::json::parse(document.out)["paths"].size(), 2U);
}

TEST_F(PathsCommandTest, ShowsOneWithTheBuffersForTheNextConnection) {
  write();
  for (const char* const host : {"198.51.100.7", "198.51.100.0/24", "::ffff:198.51.100.9"}) {
    const auto outcome = test::runCommandLine({"paths", host});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_NE(outcome.out.find("Send buffer of the next connection: 512 KiB"), std::string::npos) << outcome.out;
  }
  const auto document = test::runCommandLine({"paths", "198.51.100.7", "--json"});
  EXPECT_TRUE(test::conformsTo(pathsSchema(), document.out));
  EXPECT_EQ(nlohmann::json::parse(document.out)["paths"][0]["buffers"][0]["wanted_bytes"], 524'288);
}

TEST_F(PathsCommandTest, KnowsThatNoPathLeadsToThisHost) {
  const auto outcome = test::runCommandLine({"paths", "localhost"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.error.find("no path leads to 'localhost'"), std::string::npos) << outcome.error;
  EXPECT_EQ(test::runCommandLine({"paths", "198.51.100.0/16"}).code, 2);
}

TEST_F(PathsCommandTest, Forgets) {
  write();
  EXPECT_EQ(test::runCommandLine({"paths", "--forget", "198.51.100.0/24"}).code, 0);
  EXPECT_EQ(test::runCommandLine({"paths", "--forget", "198.51.100.0/24"}).code, 1);
  EXPECT_EQ(test::runCommandLine({"paths", "--forget", "nowhere"}).code, 2);
  EXPECT_EQ(test::runCommandLine({"paths", "--prune", "1"}).out, "Deleted paths not seen for 1 d: 1\n");
  EXPECT_EQ(nlohmann::json::parse(test::runCommandLine({"paths", "--json"}).out)["paths"].size(), 0U);
}

TEST_F(PathsCommandTest, LeavesADamagedHistoryToWhoWritesNext) {
  write();
  std::ofstream(file()) << "no database";
  const auto outcome = test::runCommandLine({"paths"});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_NE(outcome.error.find("is damaged"), std::string::npos) << outcome.error;
  EXPECT_EQ(std::filesystem::file_size(file()), 11U);
}

}  // namespace
}  // namespace tcpscope
