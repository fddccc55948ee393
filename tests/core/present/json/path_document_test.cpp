#include "core/present/json/path_document.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/json_schema.h"
#include "tests/support/path_sightings.h"

namespace tcpscope {
namespace {

PathEntry knownPath() {
  PathEntry entry{test::path("198.51.100.0/24")};
  CountedConnection counted;
  PathSighting sighting = test::sighted(1);
  sighting.retransmitted = 4;
  sighting.limit = Limit::receiver;
  sighting.options = PathOptions{true, true, false, 7, 8, Bytes(1448)};
  takeIn(entry, counted, sighting);
  takeIn(entry, PathRates{entry.path, test::rate(94e6), test::rate(12e6, Limit::application)});
  return entry;
}

TEST(PathDocument, ConformsToItsSchema) {
  SysctlValues settings;
  settings.set("net.ipv4.tcp_wmem", "4096 16384 4194304");
  const PathEntry known = knownPath();
  const PathEntry unknown{test::path("2001:db8::/48")};
  EXPECT_TRUE(test::conformsTo(pathsSchema(), toJson({}, WallTime())));
  EXPECT_TRUE(test::conformsTo(
      pathsSchema(),
      toJson({{known, {adviseBuffer(known, Side::sending, settings), adviseBuffer(known, Side::receiving, settings)}},
              {unknown, {adviseBuffer(unknown, Side::sending, {})}}},
             WallTime())));
}

TEST(PathDocument, WhatIsNotKnownHasNoKey) {
  const auto path = nlohmann::json::parse(toJson({{PathEntry(test::path("2001:db8::/48"))}}, WallTime()))["paths"][0];
  for (const char* const key :
       {"min_rtt_us", "sending", "receiving", "bandwidth_delay_product_bytes", "usual_limit", "options", "buffers"}) {
    EXPECT_FALSE(path.contains(key)) << key;
  }
  EXPECT_FALSE(path["loss"].contains("loss_event_ratio"));
}

TEST(PathDocument, SaysWhichRateIsThePathsOwn) {
  const auto path = nlohmann::json::parse(toJson({{knownPath()}}, WallTime()))["paths"][0];
  EXPECT_EQ(path["sending"]["is_of_path"], true);
  EXPECT_EQ(path["receiving"]["is_of_path"], false);
  EXPECT_EQ(path["receiving"]["limit"], "application");
  EXPECT_EQ(path["bandwidth_delay_product_bytes"], 235'000);
  EXPECT_EQ(path["usual_limit"], "receiver");
}

}  // namespace
}  // namespace tcpscope
