// Commands on a recording that is small as a file, or on an agent, that names more sockets than fit: memory stays
// bounded, and what was left out is counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/json_schema.h"
#include "tests/support/many_sockets.h"
#include "tests/support/pretended_ssh.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;

// GCC defines a macro for each sanitizer, clang has features.
#if defined(__has_feature)
#define TCPSCOPE_HAS_FEATURE(feature) __has_feature(feature)
#else
#define TCPSCOPE_HAS_FEATURE(feature) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || TCPSCOPE_HAS_FEATURE(address_sanitizer) || \
    TCPSCOPE_HAS_FEATURE(thread_sanitizer)
constexpr bool kMemoryIsOurs = false;
#else
constexpr bool kMemoryIsOurs = true;
#endif
#undef TCPSCOPE_HAS_FEATURE

/// Once in each connection of a document.
constexpr std::string_view kConnection = R"("congestion_control":)";
/// Twice the details that are held at once.
constexpr std::size_t kSockets = 40'000;
/// With all details it is twice as much, with the whole text as well.
constexpr std::size_t kMostBytes = 120U << 20;

class HostileRecordingCommand : public ::testing::Test {
protected:
  test::Outcome run(std::vector<std::string> words, bool end = false) {
    test::writeManySockets(m_file.path(), kSockets, end);
    words.insert(words.begin() + 1, {"--from", m_file.path()});
    return test::runCommandLine(std::move(words));
  }
  static void expectAtMost(std::size_t bytes, const test::Outcome& outcome) {
    if (kMemoryIsOurs) {
      EXPECT_LT(outcome.peakBytes, bytes);
    }
  }
  static std::size_t count(const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }

  test::TemporaryFile m_file{""};
};

TEST_F(HostileRecordingCommand, AnAgentThatInventsSocketsIsListedWithinBoundsAndTheRestIsCounted) {
  constexpr std::size_t kKept = 100'000;
  test::PretendedSsh ssh;
  ssh.says(test::manySocketsOfAgent(kKept + 5));
  const auto outcome = test::runCommandLine({"list", "--no-resolve", "--from", "ssh://evil"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.error, HasSubstr("incomplete: sockets beyond the budget: 5"));
  EXPECT_GE(count(outcome.out, "\n"), kKept);
  expectAtMost(300U << 20, outcome);
}

TEST_F(HostileRecordingCommand, WatchSaysAtItsEndWhatIsMissing) {
  test::writeManySockets(m_file.path(), 1, false, {{{}, GapKind::socketBudget, 5}});
  const auto outcome = test::runCommandLine({"watch", "--interval", "0.1", "--from", m_file.path()});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("ESTABLISHED"));
  EXPECT_THAT(outcome.error, HasSubstr("incomplete: sockets beyond the budget: 5"));
}

TEST_F(HostileRecordingCommand, IsExportedRowByRow) {
  const auto outcome = run({"export", "--series", "rtt_us", "--output", "-"});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(count(outcome.out, "\n"), kSockets + 1);
  expectAtMost(kMostBytes / 2, outcome);
}

TEST_F(HostileRecordingCommand, IsStreamedLineByLineAndEndsBeyondTheBudgetAreCounted) {
  const auto outcome = run({"watch", "--json-stream"}, true);
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(count(outcome.out, R"("event":"sample")"), kSockets);
  EXPECT_EQ(count(outcome.out, R"("event":"closed")"), kSockets);
  EXPECT_THAT(outcome.out.substr(outcome.out.rfind("{\"schema\"")),
              HasSubstr(R"("event":"gap","gap":{"kind":"detail_budget","count":20000,)"));
  expectAtMost(kMostBytes, outcome);
}

TEST_F(HostileRecordingCommand, IsOneDocumentWrittenInPieces) {
  const auto outcome = run({"watch", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_EQ(count(outcome.out, kConnection), kSockets);
  expectAtMost(kMostBytes / 2, outcome);
}

TEST_F(HostileRecordingCommand, IsDiagnosedInPieces) {
  const auto outcome = run({"diagnose", "--json"});
  EXPECT_EQ(count(outcome.out, kConnection), kSockets / 2);
  EXPECT_THAT(outcome.out.substr(0, 1000), HasSubstr(R"("kind":"detail_budget")"));
  expectAtMost(kMostBytes, outcome);
}

}  // namespace
}  // namespace tcpscope
