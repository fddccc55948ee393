// Paths that are drawn hop by hop, and what the probes make of them.
#include "core/host/path_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/host/path_checks.h"
#include "core/present/json/checkup_document.h"
#include "core/present/text/checkup_text.h"
#include "tests/support/json_schema.h"

namespace tcpscope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Le;
using namespace std::chrono_literals;

struct DrawnHop {
  const char* address;
  std::chrono::microseconds rtt;
  /// Of the link in front of it.
  std::uint64_t mtu = 1500;
  bool isSilent = false;
  /// Larger packets are lost at its link without an ICMP message.
  bool hidesMtu = false;
};

struct DrawnPath {
  std::vector<DrawnHop> hops;
  bool targetAnswers = true;
  std::uint64_t localMtu = 1500;
  /// Answers to these probes get lost, by their numbers.
  std::function<bool(std::uint16_t)> losesAnswer = [](std::uint16_t) { return false; };
};

IpAddress address(const char* text) {
  return IpAddress::parse(text).value();
}

std::optional<std::pair<PathAnswer, Nanoseconds>> answerTo(const DrawnPath& path, const PathProbe& probe) {
  if (probe.size.value() > path.localMtu) {
    return std::pair(PathAnswer{probe.number, PathAnswerKind::tooLarge, {}, Bytes(path.localMtu)}, Nanoseconds(0));
  }
  const DrawnHop* before = nullptr;
  for (std::size_t index = 0; index < path.hops.size(); ++index) {
    const DrawnHop& hop = path.hops[index];
    if (probe.size.value() > hop.mtu) {
      if (hop.hidesMtu || before == nullptr) return std::nullopt;
      return std::pair(PathAnswer{probe.number, PathAnswerKind::tooLarge, address(before->address), Bytes(hop.mtu)},
                       Nanoseconds(before->rtt));
    }
    const bool isTarget = index + 1 == path.hops.size();
    if (isTarget || probe.hops == index + 1) {
      if (hop.isSilent || (isTarget && !path.targetAnswers)) return std::nullopt;
      const auto kind = isTarget ? PathAnswerKind::arrived : PathAnswerKind::expired;
      return std::pair(PathAnswer{probe.number, kind, address(hop.address), {}}, Nanoseconds(hop.rtt));
    }
    before = &hop;
  }
  return std::nullopt;
}

struct Walked {
  PathReading reading;
  unsigned sent = 0;
  Nanoseconds took{0};
};

Walked walkOver(const DrawnPath& path) {
  PathWalk walk(address(path.hops.back().address));
  std::vector<std::pair<Moment, PathAnswer>> coming;
  Walked walked;
  Moment now;
  while (!walk.isOver() && walked.sent <= PathWalk::kMostProbes) {
    while (const auto probe = walk.next(now)) {
      ++walked.sent;
      if (path.losesAnswer(probe->number)) continue;
      if (const auto answer = answerTo(path, *probe)) coming.emplace_back(now + answer->second, answer->first);
    }
    const auto until = walk.waitsUntil();
    if (!until) continue;
    const auto first =
        std::min_element(coming.begin(), coming.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    if (first != coming.end() && first->first < *until) {
      now = std::max(now, first->first);
      const PathAnswer answer = first->second;
      coming.erase(first);
      walk.accept(answer, now);
    } else {
      now = *until;
    }
  }
  EXPECT_TRUE(walk.isOver());
  walked.reading = walk.reading();
  walked.took = now - Moment();
  return walked;
}

std::vector<std::string> namesOf(const PathReading& reading) {
  std::vector<std::string> names;
  for (const PathHop& hop : reading.hops) names.push_back(hop.address ? hop.address->toString() : "*");
  return names;
}

std::vector<CheckRow> rowsOf(const PathReading& reading) {
  std::vector<CheckRow> rows;
  addPathChecks(rows, UntrustedText("server.example"), reading);
  return rows;
}

CheckRow rowOf(const PathReading& reading, CheckId id) {
  const std::vector<CheckRow> rows = rowsOf(reading);
  return id == CheckId::hops ? rows.at(0) : rows.at(1);
}

DrawnPath threeHops() {
  return {{{"192.0.2.1", 300us}, {"198.51.100.1", 10ms}, {"203.0.113.9", 11ms}}};
}

TEST(PathWalk, FindsEachHopAndHowFarItIs) {
  const Walked walked = walkOver(threeHops());
  EXPECT_THAT(namesOf(walked.reading), ElementsAre("192.0.2.1", "198.51.100.1", "203.0.113.9"));
  EXPECT_EQ(walked.reading.hops[1].rtt, 10ms);
  EXPECT_TRUE(walked.reading.isReached);
  EXPECT_EQ(walked.reading.mtu, Bytes(1500));
  EXPECT_THAT(walked.sent, Le(14U)) << "nine for the hops, some beyond the target, two for the size";
  const CheckRow row = rowOf(walked.reading, CheckId::hops);
  EXPECT_EQ(row.status, CheckStatus::pass);
  EXPECT_EQ(finding(row), "3 hops, RTT 11.0 ms; 9.70 ms more behind 192.0.2.1");
  EXPECT_EQ(finding(rowOf(walked.reading, CheckId::pathMtu)), "1500 bytes; 1500 on the outgoing interface");
}

TEST(PathWalk, ASlowRouterIsNoLongPath) {
  DrawnPath path = threeHops();
  path.hops[0].rtt = 80ms;
  EXPECT_THAT(finding(rowOf(walkOver(path).reading, CheckId::hops)), HasSubstr("; 1.00 ms more behind 198.51.100.1"));
}

TEST(PathWalk, PassesOverASilentHop) {
  DrawnPath path = threeHops();
  path.hops[1].isSilent = true;
  const Walked walked = walkOver(path);
  EXPECT_THAT(namesOf(walked.reading), ElementsAre("192.0.2.1", "*", "203.0.113.9"));
  EXPECT_TRUE(walked.reading.isReached);
}

TEST(PathWalk, AsksAgainWhereAnAnswerGotLost) {
  DrawnPath path = threeHops();
  path.losesAnswer = [](std::uint16_t number) { return number < 3 || number % 3 == 0; };
  const Walked walked = walkOver(path);
  EXPECT_THAT(namesOf(walked.reading), ElementsAre("192.0.2.1", "198.51.100.1", "203.0.113.9"));
  EXPECT_EQ(walked.reading.mtu, Bytes(1500));
  EXPECT_FALSE(walked.reading.vanishing);
}

TEST(PathWalk, ASilentTargetIsNotKnownToExist) {
  DrawnPath path = threeHops();
  path.targetAnswers = false;
  const Walked walked = walkOver(path);
  EXPECT_THAT(namesOf(walked.reading), ElementsAre("192.0.2.1", "198.51.100.1"));
  EXPECT_FALSE(walked.reading.isReached);
  EXPECT_THAT(walked.took, Le(30s));
  const CheckRow hops = rowOf(walked.reading, CheckId::hops);
  EXPECT_EQ(hops.status, CheckStatus::unknown);
  EXPECT_THAT(finding(hops), HasSubstr("no answer behind hop 2, 198.51.100.1"));
  const CheckRow size = rowOf(walked.reading, CheckId::pathMtu);
  EXPECT_EQ(size.status, CheckStatus::unknown);
  EXPECT_EQ(finding(size), "at most 1500 bytes, as far as hops answered; 1500 on the outgoing interface");
}

TEST(PathWalk, NothingIsKnownWithoutAnAnswer) {
  DrawnPath path = threeHops();
  path.losesAnswer = [](std::uint16_t) { return true; };
  const Walked walked = walkOver(path);
  EXPECT_TRUE(walked.reading.hops.empty());
  EXPECT_FALSE(walked.reading.mtu);
  EXPECT_EQ(finding(rowOf(walked.reading, CheckId::hops)), "no answer");
  EXPECT_EQ(finding(rowOf(walked.reading, CheckId::pathMtu)), "no answer");
}

TEST(PathWalk, NamesTheHopThatReportedTheSmallerMtu) {
  DrawnPath path = threeHops();
  path.hops[2].mtu = 1400;
  const Walked walked = walkOver(path);
  EXPECT_EQ(walked.reading.mtu, Bytes(1400));
  EXPECT_EQ(walked.reading.localMtu, Bytes(1500));
  const CheckRow row = rowOf(walked.reading, CheckId::pathMtu);
  EXPECT_EQ(row.status, CheckStatus::pass);
  EXPECT_EQ(finding(row), "1400 bytes, reported by 198.51.100.1; 1500 on the outgoing interface");
}

TEST(PathWalk, FindsTheSizeAtWhichPacketsGetLostWithoutAWord) {
  DrawnPath path = threeHops();
  path.hops[2].mtu = 1400;
  path.hops[2].hidesMtu = true;
  const Walked walked = walkOver(path);
  EXPECT_EQ(walked.reading.mtu, Bytes(1400));
  EXPECT_EQ(walked.reading.vanishing, Bytes(1420));
  const CheckRow row = rowOf(walked.reading, CheckId::pathMtu);
  EXPECT_EQ(row.status, CheckStatus::fail);
  EXPECT_THAT(finding(row), HasSubstr("packets of 1420 bytes are lost silently"));
  EXPECT_THAT(std::string(advice(row)), HasSubstr("tcp_mtu_probing"));
  EXPECT_THAT(walked.took, Le(6s));
}

// A host that answers only so often looks the same until the larger one is tried again.
TEST(PathWalk, LargePacketsThatComeThroughTheSecondTimeDoNotVanish) {
  DrawnPath path = threeHops();
  unsigned full = 0;
  PathWalk walk(address("203.0.113.9"));
  Moment now;
  while (!walk.isOver()) {
    const auto probe = walk.next(now);
    if (!probe) {
      if (walk.waitsUntil()) now = *walk.waitsUntil();
      continue;
    }
    const bool isLost = probe->size == Bytes(1500) && ++full <= 4;
    if (const auto answer = answerTo(path, *probe); answer && !isLost) walk.accept(answer->first, now);
  }
  EXPECT_EQ(walk.reading().mtu, Bytes(1500));
  EXPECT_FALSE(walk.reading().vanishing);
}

TEST(PathWalk, ARouterThatRefusesEndsThePath) {
  PathWalk walk(address("203.0.113.9"));
  Moment now;
  while (!walk.isOver()) {
    const auto probe = walk.next(now);
    if (!probe) {
      if (walk.waitsUntil()) now = *walk.waitsUntil();
      continue;
    }
    const auto kind = probe->hops == 1 ? PathAnswerKind::expired : PathAnswerKind::refused;
    const char* const from = probe->hops == 1 ? "192.0.2.1" : "198.51.100.1";
    walk.accept({probe->number, kind, address(from), {}}, now + 1ms);
  }
  const CheckRow row = rowOf(walk.reading(), CheckId::hops);
  EXPECT_EQ(row.status, CheckStatus::fail);
  EXPECT_THAT(finding(row), HasSubstr("refused at hop 2, 198.51.100.1"));
}

TEST(PathWalk, PassesOverAnswersToWhatWasNotAsked) {
  PathWalk walk(address("203.0.113.9"));
  walk.accept({7, PathAnswerKind::arrived, address("203.0.113.9"), {}}, Moment());
  walk.accept({65'535, PathAnswerKind::tooLarge, address("203.0.113.9"), Bytes(0)}, Moment());
  EXPECT_TRUE(walk.reading().hops.empty());
  EXPECT_FALSE(walk.reading().isReached);
}

TEST(PathChecks, StandBehindTheOthersOfTheNetworkLayer) {
  std::vector<CheckRow> rows(2);
  rows[0].layer = CheckLayer::network;
  rows[1].layer = CheckLayer::transport;
  addPathChecks(rows, UntrustedText("server.example"), walkOver(threeHops()).reading);
  ASSERT_EQ(rows.size(), 4U);
  EXPECT_EQ(rows[1].id, CheckId::hops);
  EXPECT_EQ(rows[2].id, CheckId::pathMtu);
  EXPECT_EQ(rows[3].layer, CheckLayer::transport);
}

TEST(PathWalk, IsReportedAsADocument) {
  const std::string document = toJson(rowsOf(walkOver(threeHops()).reading), 0s, WallTime());
  EXPECT_TRUE(test::conformsTo(checkupSchema(), document));
  EXPECT_THAT(document, HasSubstr(R"("remote":"server.example")"));
  EXPECT_THAT(document, HasSubstr(R"({"address":"198.51.100.1","rtt_us":10000})"));
}

}  // namespace
}  // namespace tcpscope
