// `watch` on a terminal: it takes the screen and the keys, and gives both back however it ends.
#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/built_paths.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/terminal_program.h"

namespace tcpscope {
namespace {

// ThreadSanitizer runs the handler of a signal only once the thread that got it goes on, which may be one that waits.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TCPSCOPE_SIGNALS_WAIT 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define TCPSCOPE_SIGNALS_WAIT 1
#endif
#if defined(TCPSCOPE_SIGNALS_WAIT)
constexpr bool kSignalsWait = true;
#else
constexpr bool kSignalsWait = false;
#endif

constexpr const char* kEnterScreen = "\x1b[?1049h";
constexpr const char* kLeaveScreen = "\x1b[?1049l";
constexpr const char* kShowCursor = "\x1b[?25h";
constexpr const char* kHome = "\x1b[H";

class WatchOnTerminal : public ::testing::Test {
protected:
  /// Shows the clients' ends of the test's own connections.
  test::TerminalProgram watch(std::vector<std::string> words = {}) const {
    words.insert(words.begin(), {"watch", "--no-resolve", "--interval", "0.1"});
    words.insert(words.end(), {"--", "dport = :" + std::to_string(m_listener.port())});
    return {test::commandLineProgram(), std::move(words), 12, 140};
  }

  static void expectTerminalAsBefore(const test::TerminalProgram& program) {
    const termios settings = program.settings();
    EXPECT_NE(settings.c_lflag & static_cast<tcflag_t>(ICANON), 0U) << "lines are edited again";
    EXPECT_NE(settings.c_lflag & static_cast<tcflag_t>(ECHO), 0U) << "keys are seen again";
    EXPECT_GT(program.shown().rfind(kLeaveScreen), program.shown().rfind(kHome)) << "the last thing is leaving";
    EXPECT_NE(program.shown().find(kShowCursor), std::string::npos);
  }

  test::LoopbackListener m_listener;
  std::pair<test::Descriptor, test::Descriptor> m_connection = m_listener.connect();
};

TEST_F(WatchOnTerminal, ShowsTheTableOnAScreenOfItsOwnAndTakesTheKeys) {
  test::TerminalProgram program = watch();
  ASSERT_TRUE(program.waitForText("ESTABLISHED"));
  EXPECT_EQ(program.shown().find(kEnterScreen), 0U);
  EXPECT_EQ(program.settings().c_lflag & static_cast<tcflag_t>(ICANON | ECHO), 0U);
}

TEST_F(WatchOnTerminal, CtrlCEndsItAndTheTerminalIsAsBefore) {
  if (kSignalsWait) GTEST_SKIP() << "under ThreadSanitizer";
  test::TerminalProgram program = watch();
  ASSERT_TRUE(program.waitForText("q quits"));
  program.type("\x03");
  EXPECT_EQ(program.waitForEnd(), 0);
  expectTerminalAsBefore(program);
}

TEST_F(WatchOnTerminal, TheKeyQEndsItAndTheTerminalIsAsBefore) {
  test::TerminalProgram program = watch();
  ASSERT_TRUE(program.waitForText("q quits"));
  program.type("q");
  EXPECT_EQ(program.waitForEnd(), 0);
  expectTerminalAsBefore(program);
}

TEST_F(WatchOnTerminal, AnotherKeyDoesNotEndIt) {
  test::TerminalProgram program = watch({"--count", "3"});
  ASSERT_TRUE(program.waitForText("q quits"));
  program.type("x");
  EXPECT_EQ(program.waitForEnd(), 0) << "it ends by its count";
  EXPECT_GE(std::count(program.shown().begin(), program.shown().end(), 'H'), 3);
  expectTerminalAsBefore(program);
}

TEST_F(WatchOnTerminal, StaysWithinTheWindow) {
  std::vector<std::pair<test::Descriptor, test::Descriptor>> more;
  for (int count = 0; count < 20; ++count) more.push_back(m_listener.connect());
  test::TerminalProgram program = watch({"--count", "2"});
  ASSERT_EQ(program.waitForEnd(), 0);
  const std::string& shown = program.shown();
  const std::size_t first = shown.find(kHome);
  ASSERT_NE(first, std::string::npos);
  const std::string screen = shown.substr(first, shown.find(kHome, first + 1) - first);
  EXPECT_LT(std::count(screen.begin(), screen.end(), '\n'), 12) << "one more would scroll the first line away";
}

TEST_F(WatchOnTerminal, PrintsALineForEachConnectionThatEnds) {
  test::TerminalProgram program = watch({"--ended"});
  ASSERT_TRUE(program.waitForText("DURATION"));
  // The fixture's connection is the program's, too, which inherits it.
  auto ends = m_listener.connect();
  const std::string client = ":" + std::to_string(test::portOf(ends.first)) + " -> 127.0.0.1:";
  EXPECT_EQ(program.shown().find(client), std::string::npos) << "it is open";
  ends.second = {};
  ends.first = {};
  EXPECT_TRUE(program.waitForText(client + std::to_string(m_listener.port()))) << program.shown();
}

TEST_F(WatchOnTerminal, OfAConnectionThatExistedBeforeTheDurationIsAtLeastWhatWasSeen) {
  auto ends = m_listener.connect();
  // The program would inherit them, and keep the connection open.
  for (const test::Descriptor* end : {&ends.first, &ends.second}) {
    ASSERT_EQ(fcntl(end->number(), F_SETFD, FD_CLOEXEC), 0);
  }
  test::TerminalProgram program = watch({"--ended"});
  ASSERT_TRUE(program.waitForText("DURATION"));
  const std::string client = ":" + std::to_string(test::portOf(ends.first)) + " -> 127.0.0.1:";
  ends.second = {};
  ends.first = {};
  ASSERT_TRUE(program.waitForText(client)) << program.shown();
  ASSERT_TRUE(program.waitForText("idle")) << program.shown();
  const std::string line = program.shown().substr(program.shown().find(client));
  EXPECT_NE(line.find("≥ "), std::string::npos) << line;
  EXPECT_NE(line.find(" 0 B "), std::string::npos) << "SYN and FIN are no data: " << line;
}

}  // namespace
}  // namespace tcpscope
