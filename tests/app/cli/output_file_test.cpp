// Where commands write to, and that names in their messages do not act on a terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/app/cli/exit_codes.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class OutputFileTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "tcpscope-output-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    m_folder = pattern;
    std::ofstream(m_folder / "victim") << "precious";
    for (const char* name : {"link.tcpscope", "link.csv", "link.html"}) {
      fs::create_symlink(m_folder / "victim", m_folder / name);
    }
    for (const char* name : {"fifo.tcpscope", "fifo.csv", "fifo.html"}) {
      ASSERT_EQ(mkfifo((m_folder / name).c_str(), 0600), 0);
    }
  }
  void TearDown() override { fs::remove_all(m_folder); }

  [[nodiscard]] std::string file(const std::string& name) const { return (m_folder / name).string(); }
  [[nodiscard]] std::string victim() const {
    std::ostringstream content;
    content << std::ifstream(m_folder / "victim").rdbuf();
    return content.str();
  }
  /// The three commands that need no right, each with a file of this name.
  [[nodiscard]] std::vector<test::Outcome> written(const std::string& name) const {
    return {test::runCommandLine({"record", "--for", "0.5", "-o", file(name + ".tcpscope")}),
            test::runCommandLine({"export", "--for", "0.5", "--series", "rtt_us", "-o", file(name + ".csv")}),
            test::runCommandLine({"report", "--for", "0.5", "-o", file(name + ".html")})};
  }

  fs::path m_folder;
};

TEST_F(OutputFileTest, ALinkIsNotFollowed) {
  for (const test::Outcome& outcome : written("link")) {
    EXPECT_EQ(outcome.code, test::kWrongUsage);
    EXPECT_THAT(outcome.error, HasSubstr("is a symbolic link"));
  }
  EXPECT_EQ(victim(), "precious");
}

TEST_F(OutputFileTest, AFifoIsNotOpened) {
  for (const test::Outcome& outcome : written("fifo")) {
    EXPECT_EQ(outcome.code, test::kWrongUsage);
    EXPECT_THAT(outcome.error, HasSubstr("is not a regular file"));
  }
}

TEST_F(OutputFileTest, StandardOutputHasTwoNames) {
  for (const std::string name : {"-", "/dev/stdout"}) {
    const test::Outcome outcome = test::runCommandLine({"export", "--for", "0.5", "--series", "rtt_us", "-o", name});
    EXPECT_EQ(outcome.code, 0) << outcome.error;
    EXPECT_THAT(outcome.out, HasSubstr("rtt_us"));
  }
}

TEST_F(OutputFileTest, NamesAndOptionsAreEscapedForTheTerminal) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list", "--\x1b[31m"}, {"list", "--count", "\x1b[31m"}, {"\x1b[31m"}}) {
    const test::Outcome outcome = test::runCommandLine(words);
    EXPECT_EQ(outcome.code, test::kWrongUsage);
    EXPECT_THAT(outcome.error, Not(HasSubstr("\x1b")));
  }
  const test::Outcome recorded = test::runCommandLine({"record", "--for", "0.5", "-o", file("\x1b[31m")});
  EXPECT_EQ(recorded.code, 0) << recorded.error;
  EXPECT_THAT(recorded.out, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace tcpscope
