#include "core/present/text/obsolete_setting_text.h"

#include <gtest/gtest.h>

#include <set>

namespace tcpscope {
namespace {

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
