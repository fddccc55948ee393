// What is wrong on the command line of the desktop is said before any window opens, by the program itself.
#include "app/desktop/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/built_paths.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using test::Outcome;
using testing::HasSubstr;
using testing::Not;

struct WrongWords {
  const char* title;
  std::vector<std::string> words;
  const char* sentence;
};

void PrintTo(const WrongWords& wrong, std::ostream* out) {
  *out << wrong.title;
}

class DesktopOptionsThat : public testing::TestWithParam<WrongWords> {};

TEST_P(DesktopOptionsThat, AreWrongEndTheProgramWithASentence) {
  const Outcome outcome = test::runProgram(test::desktopProgram(), GetParam().words);
  EXPECT_EQ(outcome.code, 2) << outcome.error;
  EXPECT_THAT(outcome.error, HasSubstr(GetParam().sentence));
  EXPECT_THAT(outcome.error, Not(HasSubstr("\x1b")));
  EXPECT_EQ(outcome.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    Each, DesktopOptionsThat,
    testing::Values(
        WrongWords{"view", {"--view", "oscilloscope"}, "unknown view 'oscilloscope'; available: scope, diagnosis"},
        WrongWords{"viewThatWritesToTheTerminal", {"--view", "\x1b[2J"}, "[2J'; available: scope"},
        WrongWords{"option", {"--bogus"}, "tcpscope: Unknown option 'bogus'."},
        WrongWords{"optionThatWritesToTheTerminal", {"--\x1b[2J"}, "Unknown option"},
        WrongWords{"missingValue", {"--view"}, "tcpscope: Missing value after '--view'."},
        WrongWords{"theme", {"--theme", "pink"}, "--theme takes light, dark or system"},
        WrongWords{"size", {"--size", "12x7"}, "--size takes WIDTHxHEIGHT in pixels"},
        WrongWords{"after", {"--after", "soon"}, "--after takes seconds, at most a day"},
        WrongWords{"demo", {"--demo", "perpetuum"}, "unknown demo 'perpetuum'; available: "},
        WrongWords{"twoDemos", {"--demo", "a", "b"}, "--demo takes at most one scenario"},
        WrongWords{"manyFiles", std::vector<std::string>(17, "a.pcap"), "at most 16 files can be opened at once"},
        WrongWords{"pictureOfTwoFiles", {"--screenshot", "x.png", "a.pcap", "b.pcap"}, "--screenshot takes one file"},
        WrongWords{"host", {"--connect", "example.org"}, "--connect takes ssh:// followed by the host"},
        WrongWords{"bothMeans",
                   {"--connect", "ssh://a", "--through-ss", "--copy-agent"},
                   "--through-ss and --copy-agent exclude each other"},
        WrongWords{"meansWithoutHost", {"--copy-agent"}, "--through-ss and --copy-agent require --connect"},
        WrongWords{"namespaceWithRights",
                   {"--netns", "blue", "--with-rights"},
                   "--netns and --with-rights exclude each other"},
        WrongWords{"captureOfNothing", {"--capture"}, "--capture requires --select"}),
    [](const auto& row) { return row.param.title; });

TEST(DesktopOptionsHelp, NamesEveryView) {
  const Outcome outcome = test::runProgram(test::desktopProgram(), {"--help"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("checkup"));
  EXPECT_THAT(outcome.out, HasSubstr("paths"));
}

/// As a sysadmin who has logged in to a server calls it.
Outcome withoutDisplay(const std::string& word) {
  std::vector<std::string> words = {
      "-u", "QT_QPA_PLATFORM", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", test::desktopProgram()};
  if (!word.empty()) words.push_back(word);
  return test::runProgram("/usr/bin/env", words);
}

TEST(DesktopWithoutADisplay, PrintsHelpAndVersion) {
  EXPECT_THAT(withoutDisplay("--help").out, HasSubstr("checkup"));
  EXPECT_THAT(withoutDisplay("-v").out, testing::StartsWith("tcpscope "));
}

TEST(DesktopWithoutADisplay, SaysInOneLineWhatToDo) {
  const Outcome outcome = withoutDisplay("");
  EXPECT_EQ(outcome.code, 5);
  EXPECT_THAT(outcome.error, testing::StartsWith("tcpscope: no display for a window"));
  EXPECT_THAT(outcome.error, HasSubstr("tcpscope-cli\n"));
}

TEST(DesktopOptionsVersion, IsPrinted) {
  const Outcome outcome = test::runProgram(test::desktopProgram(), {"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, testing::StartsWith("tcpscope "));
}

}  // namespace
}  // namespace tcpscope
