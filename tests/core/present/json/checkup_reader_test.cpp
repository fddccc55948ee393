// A check-up is the same behind its document, and what is none is refused.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/host/path_checks.h"
#include "core/present/json/checkup_document.h"
#include "core/present/text/checkup_text.h"
#include "tests/support/json_schema.h"

namespace tcpscope {
namespace {

/// A row of each check, with a figure in every place.
std::vector<CheckRow> fullRows() {
  std::vector<CheckRow> rows;
  for (std::size_t id = 0; id < static_cast<std::size_t>(CheckId::count); ++id) {
    CheckRow row;
    row.id = static_cast<CheckId>(id);
    row.layer = CheckLayer::network;
    row.status = id % 2 == 0 ? CheckStatus::warn : CheckStatus::pass;
    row.object = UntrustedText("eth0");
    row.during = 3;
    row.ever = 40;
    row.rate = BitsPerSecond(1e9);
    row.busRate = BitsPerSecond(8e9);
    row.mtu = Bytes(1500);
    row.lowerMtu = Bytes(1400);
    row.ratio = 0.75;
    row.processor = 2;
    row.names = {UntrustedText("cubic"), UntrustedText("reno")};
    row.count = 5;
    row.most = 9;
    row.delay = Microseconds(250);
    row.used = Bytes(4096);
    row.limit = Bytes(65'536);
    row.inSockets = Bytes(1024);
    row.pid = 4711;
    row.timeRatio = 0.5;
    row.callsASecond = 1'000;
    row.bytesACall = 512;
    row.vanishing = Bytes(1420);
    rows.push_back(row);
  }
  PathReading path;
  path.target = IpAddress::v4({192, 0, 2, 10});
  path.hops = {{IpAddress::v4({192, 0, 2, 1}), Microseconds(300)}, {}, {path.target, Microseconds(9'000)}};
  path.isReached = true;
  path.mtu = Bytes(1400);
  addPathChecks(rows, UntrustedText("server"), path);
  CheckRow unknown;
  unknown.id = CheckId::diskWait;
  unknown.layer = CheckLayer::application;
  unknown.object = UntrustedText("postgres");
  unknown.reason = UnknownReason::switchedOff;
  rows.push_back(unknown);
  return rows;
}

TEST(CheckupReader, ReadsWhatWasWritten) {
  const std::vector<CheckRow> rows = fullRows();
  const std::string document = toJson(rows, std::chrono::milliseconds(5250), WallTime());
  ASSERT_TRUE(test::conformsTo(checkupSchema(), document));
  const auto read = parseCheckup(document);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->window, std::chrono::milliseconds(5250));
  ASSERT_EQ(read->rows.size(), rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    EXPECT_EQ(finding(read->rows[row]), finding(rows[row]));
    EXPECT_EQ(hopList(read->rows[row]), hopList(rows[row]));
    EXPECT_EQ(read->rows[row].status, rows[row].status);
    EXPECT_EQ(read->rows[row].layer, rows[row].layer);
    EXPECT_EQ(read->rows[row].pid, rows[row].pid);
  }
  EXPECT_EQ(toJson(read->rows, read->window, WallTime()), document);
}

TEST(CheckupReader, RefusesWhatIsNoCheckup) {
  EXPECT_FALSE(parseCheckup(""));
  EXPECT_FALSE(parseCheckup("[]"));
  EXPECT_FALSE(parseCheckup(R"({"schema":"tcpscope.checkup","checks":[]})")) << "how long is not known";
  EXPECT_FALSE(parseCheckup(R"({"schema":"tcpscope.checkup","window_s":5})"));
  EXPECT_FALSE(parseCheckup(std::string(kMostCheckupDocumentBytes + 1, ' ')));
}

TEST(CheckupReader, LeavesOutWhatItDoesNotKnow) {
  auto document = nlohmann::json::parse(toJson(fullRows(), std::chrono::seconds(5), WallTime()));
  const std::size_t all = document["checks"].size();
  document["checks"][0]["check"] = "of_a_later_version";
  document["checks"][1]["status"] = "splendid";
  document["checks"][2]["busiest_processor_ratio"] = 7;
  document["checks"][2]["during"] = -1;
  document["checks"][2]["names"] = {"a", 7, nullptr};
  const auto read = parseCheckup(document.dump());
  ASSERT_TRUE(read);
  ASSERT_EQ(read->rows.size(), all - 2);
  EXPECT_EQ(read->leftOut, 2U);
  EXPECT_FALSE(read->rows[0].ratio);
  EXPECT_FALSE(read->rows[0].during) << "an unknown number is no 0";
  EXPECT_EQ(read->rows[0].names.size(), 1U);
}

TEST(CheckupReader, TakesAFindingWithoutItsFiguresAsUnknown) {
  const auto read =
      parseCheckup(R"({"schema":"tcpscope.checkup","window_s":5,"checks":[)"
                   R"({"layer":"data_link","check":"ring_size","status":"warn","interface":"eth0","count":256}]})");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->rows.size(), 1U);
  EXPECT_EQ(read->rows.front().status, CheckStatus::unknown) << finding(read->rows.front());
}

}  // namespace
}  // namespace tcpscope
