#include "core/present/text/remote_change_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace tcpscope {
namespace {

TEST(RemoteChangeText, NamesTheHostAndSaysOfEachWhatOnlyItKnows) {
  using Kind = RemoteChangeErrorKind;
  std::set<std::string> sentences;
  for (const Kind kind : {Kind::sudoAsks, Kind::sudoRefuses, Kind::noSudo, Kind::otherPlace, Kind::left,
                          Kind::notConnected, Kind::answerLost, Kind::notInForce, Kind::notReported}) {
    const std::string text = sentence(kind, UntrustedText("d\x1b"
                                                          "b1"));
    EXPECT_THAT(text, testing::HasSubstr("'db1'"));
    EXPECT_TRUE(sentences.insert(text).second) << text;
  }
}

}  // namespace
}  // namespace tcpscope
