#include "core/present/text/error_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <set>

namespace tcpscope {
namespace {

TEST(SystemErrorSentence, OfAHostSaysWhichAndWhatToDo) {
  std::set<std::string> sentences;
  for (const int number : {EINVAL, EACCES, EKEYREJECTED, ENOPKG, EADDRNOTAVAIL, ECONNREFUSED, EHOSTUNREACH, ENETUNREACH,
                           ECONNRESET, ETIMEDOUT, EPIPE, 0}) {
    const std::string text = sentence(SystemError{SystemAttempt::reachAgent, number, UntrustedText("db1")});
    EXPECT_THAT(text, testing::HasSubstr("'db1'")) << number;
    EXPECT_THAT(text, testing::HasSubstr("; ")) << "what happened; what to do: " << number;
    EXPECT_TRUE(sentences.insert(text).second) << "each says what only it knows: " << text;
  }
}

TEST(SystemErrorSentence, OfOtherMeansSaysWhichHostAndWhatToDo) {
  const auto expectWhole = [](SystemAttempt attempt, int number) {
    const std::string text = sentence(SystemError{attempt, number, UntrustedText("db1")});
    EXPECT_THAT(text, testing::HasSubstr("'db1'")) << number;
    EXPECT_THAT(text, testing::HasSubstr("; ")) << number;
    return text;
  };
  for (const int number : {EINVAL, EACCES, EKEYREJECTED, ENOPKG, ECONNREFUSED, ECONNRESET, ETIMEDOUT, EPIPE, 0}) {
    expectWhole(SystemAttempt::pollWithSs, number);
    expectWhole(SystemAttempt::copyAgent, number);
  }
  EXPECT_THAT(expectWhole(SystemAttempt::pollWithSs, ENOPKG), testing::HasSubstr("no ss"));
  std::set<std::string> ofCopies;
  for (const int number : {ENOEXEC, EBADMSG, ENOSPC, ENOTSUP, EPIPE}) {
    EXPECT_TRUE(ofCopies.insert(expectWhole(SystemAttempt::copyAgent, number)).second) << number;
  }
}

TEST(SystemErrorSentence, OfAnOutputNamesTheFileAndWhatHelps) {
  EXPECT_EQ(sentence(SystemError{SystemAttempt::writeOutput, ENOENT, UntrustedText("/no/x.csv")}),
            "cannot write '/no/x.csv': No such file or directory; name a file in a writable folder");
  EXPECT_THAT(sentence(SystemError{SystemAttempt::writeOutput, ENOSPC, UntrustedText("x.csv")}),
              testing::HasSubstr("see that there is room"));
}

TEST(SystemErrorSentence, ShowsAHostWithoutControlCharacters) {
  const std::string text = sentence(SystemError{SystemAttempt::reachAgent, EACCES, UntrustedText("d\x1b[31mb")});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace tcpscope
