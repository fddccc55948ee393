#include "core/present/text/tuning_guide.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tcpscope {
namespace {

TEST(TuningGuide, HasEveryLoadWithWhatToUseAndWhy) {
  std::set<std::string_view> loads;
  for (const TuningLoad load : kTuningLoads) {
    const TuningGuideRow row = guideRow(load);
    EXPECT_TRUE(loads.insert(row.load).second) << row.load;
    for (const std::string_view text : {row.load, row.use, row.why, row.inTcpscope, row.paper}) {
      EXPECT_GT(text.size(), 20U) << row.load;
    }
    for (const std::string_view sentence : {row.use, row.why, row.inTcpscope, row.paper}) {
      EXPECT_TRUE(sentence.ends_with('.')) << sentence;
    }
    EXPECT_FALSE(row.load.ends_with('.')) << row.load;
  }
  EXPECT_EQ(loads.size(), static_cast<std::size_t>(TuningLoad::otherSystem) + 1);
}

TEST(TuningGuide, HasWhatThePaperRecommends) {
  std::string paper;
  for (const TuningLoad load : kTuningLoads) paper += std::string(guideRow(load).paper) + " ";
  for (const std::string_view tuner :
       {"Linux 2.4", "Dynamic Right-Sizing", "PSC", "DRS FTP", "Auto-tuned FTP", "Enable", "Vegas"}) {
    EXPECT_NE(paper.find(tuner), std::string::npos) << tuner;
  }
  EXPECT_EQ(tuningFirstSteps().size(), 4U);
}

}  // namespace
}  // namespace tcpscope
