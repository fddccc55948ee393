#include "app/lab/scenario/scenario_catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "app/lab/scenario/scenario_parser.h"
#include "tests/support/built_paths.h"

namespace tcpscope::lab {
namespace {

TEST(ScenarioCatalogue, EveryScenarioParsesAndHasAStory) {
  for (const BundledScenario& bundled : scenarioCatalogue()) {
    SCOPED_TRACE(bundled.name);
    const auto scenario = parseScenario(bundled.text);
    ASSERT_TRUE(scenario) << sentence(scenario.error());
    EXPECT_EQ(scenario->name, bundled.name);
    EXPECT_FALSE(scenario->title.empty());
    EXPECT_GT(scenario->story.size(), 60U);
    // Either one answer is right, or several runs are compared.
    EXPECT_NE(scenario->truth.has_value(), !scenario->sweep.empty());
  }
}

TEST(ScenarioCatalogue, EveryPointOfAGridIsAScenario) {
  for (const BundledScenario& bundled : scenarioCatalogue()) {
    const auto scenario = parseScenario(bundled.text);
    ASSERT_TRUE(scenario);
    for (const auto& cell : sweepCells(*scenario)) {
      const auto single = cellOf(*scenario, cell);
      EXPECT_TRUE(single) << bundled.name << ": " << (single ? "" : sentence(single.error()));
    }
  }
}

TEST(ScenarioCatalogue, HasEveryFileOfTheFolder) {
  const std::filesystem::path folder = test::testData() / "../../app/lab/scenario/scenarios";
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_NE(findScenario(entry.path().stem().string()), nullptr) << entry.path();
    ++files;
  }
  EXPECT_EQ(files, scenarioCatalogue().size());
}

TEST(ScenarioCatalogue, FindsByName) {
  ASSERT_NE(findScenario("healthy"), nullptr);
  EXPECT_EQ(findScenario("healthy")->name, "healthy");
  EXPECT_EQ(findScenario("unheard_of"), nullptr);
}

}  // namespace
}  // namespace tcpscope::lab
