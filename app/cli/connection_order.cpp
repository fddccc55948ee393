#include "app/cli/connection_order.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "app/session/ordered_work.h"

namespace tcpscope {

namespace {

constexpr double kUnknown = -std::numeric_limits<double>::infinity();

/// 0 without a finding.
double severityOf(const ConnectionAnalysis& analysis) {
  int worst = 0;
  for (const DirectionAnalysis& direction : analysis.directions) {
    for (const Finding& finding : direction.diagnosis.findings) {
      worst = std::max(worst, static_cast<int>(finding.severity) + 1);
    }
  }
  return worst;
}

}  // namespace

std::string_view phrase(ConnectionOrder order) {
  switch (order) {
    case ConnectionOrder::worst:
      return "worst first";
    case ConnectionOrder::data:
      return "most data first";
    case ConnectionOrder::goodput:
      return "highest goodput first";
    case ConnectionOrder::retransmissions:
      return "most retransmissions first";
    case ConnectionOrder::rtt:
      return "longest RTT first";
    case ConnectionOrder::duration:
      return "longest first";
    case ConnectionOrder::start:
      return "earliest first";
  }
  return "";
}

OrderRank rankOf(ConnectionOrder order, const ConnectionAnalysis& analysis) {
  const ConnectionSummary& flow = analysis.flow;
  const auto bytes = static_cast<double>(streamBytes(flow));
  switch (order) {
    case ConnectionOrder::worst:
      return {severityOf(analysis), bytes};
    case ConnectionOrder::data:
      return {bytes};
    case ConnectionOrder::goodput: {
      const auto& goodput = flow.directions[analysis.bulk].goodput;
      return {goodput ? goodput->value() : kUnknown};
    }
    case ConnectionOrder::retransmissions:
      return {static_cast<double>(retransmittedPackets(flow.directions[0]) + retransmittedPackets(flow.directions[1]))};
    case ConnectionOrder::rtt: {
      const auto rtt = pathRtt(flow, analysis.bulk);
      return {rtt ? toSeconds(*rtt) : kUnknown};
    }
    case ConnectionOrder::duration:
      return {toSeconds(flow.lastTime - flow.firstTime)};
    case ConnectionOrder::start:
      return {-toSeconds(flow.firstTime - WallTime())};
  }
  return {};
}

std::vector<CapturedPick> firstOf(const std::vector<CapturedPick>& picks, ConnectionOrder order,
                                  std::optional<std::size_t> top) {
  std::vector<std::pair<OrderRank, CapturedPick>> ranked;
  ranked.reserve(picks.size());
  makeInOrder(
      picks.size(), threadsOfMachine(),
      [&](std::size_t index) { return std::pair(rankOf(order, picks[index].analysis(WithHistory::no)), picks[index]); },
      [&](std::pair<OrderRank, CapturedPick>&& one) {
        ranked.push_back(one);
        return true;
      });
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first.comesBefore(b.first); });
  std::vector<CapturedPick> first;
  for (const auto& [rank, pick] : ranked) {
    if (top && first.size() == *top) break;
    first.push_back(pick);
  }
  return first;
}

std::uint64_t streamBytes(const ConnectionSummary& flow) {
  return (flow.directions[0].streamBytes() + flow.directions[1].streamBytes()).value();
}

std::uint64_t retransmittedPackets(const DirectionSummary& direction) {
  return (direction.sent.retransmittedPackets + direction.sent.controlRetransmissions +
          direction.sent.filledHolePackets)
      .value();
}

}  // namespace tcpscope
