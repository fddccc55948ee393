#include "core/present/text/change_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace tcpscope {
namespace {

TEST(ChangeText, NamesTheHostInEachErrorOfAnotherHost) {
  using Kind = ChangeErrorKind;
  std::set<std::string> sentences;
  for (const Kind kind : {Kind::sudoAsks, Kind::sudoRefuses, Kind::noSudo, Kind::otherPlace, Kind::left,
                          Kind::notConnected, Kind::reportLost, Kind::notActive, Kind::outcomeNotReported}) {
    const std::string text = sentence(ChangeError{kind, 0,
                                                  UntrustedText("d\x1b"
                                                                "b1")});
    EXPECT_THAT(text, testing::HasSubstr("'db1'"));
    EXPECT_TRUE(sentences.insert(text).second) << text;
  }
}

TEST(ObsoleteSettingText, HasASentenceOfItsOwnForEveryReason) {
  std::set<std::string_view> sentences;
  for (std::size_t reason = 0; reason < static_cast<std::size_t>(ObsoleteReason::count); ++reason) {
    const std::string_view text = sentence(static_cast<ObsoleteReason>(reason));
    EXPECT_TRUE(text.ends_with('.')) << text;
    sentences.insert(text);
  }
  EXPECT_EQ(sentences.size(), static_cast<std::size_t>(ObsoleteReason::count));
}

}  // namespace
}  // namespace tcpscope
