#include "core/present/html/report_guide.h"

#include <fmt/format.h>

#include "core/present/report/report_plots.h"
#include "core/present/report/summary_plots.h"
#include "core/present/text/tuning_guide.h"
#include "core/session/capture/captured_packets.h"
#include "core/session/transfer_stretch.h"

namespace tcpscope {

namespace {

std::optional<double> rttSecondsOf(const ConnectionDetail& detail) {
  if (detail.packets) {
    const auto rtt = shortestPathRtt(detail.packets->analysis.flow, bulkDirection(detail));
    return rtt ? std::optional(toSeconds(*rtt)) : std::nullopt;
  }
  const auto from = detail.history.firstTime();
  const auto rtt = from ? smallestRtt(detail.history, *from, *detail.history.lastTime()) : std::nullopt;
  return rtt ? std::optional(toSeconds(*rtt)) : std::nullopt;
}

/// When it carried data, live when it was watched, in nanoseconds of a capture's or of the kernel's clock.
struct CarriedSpan {
  std::int64_t from = 0;
  std::int64_t to = 0;
};

std::optional<CarriedSpan> spanOf(const ConnectionDetail& detail) {
  if (detail.packets) {
    const DirectionSummary& bulk = detail.packets->analysis.flow.directions[bulkDirection(detail)];
    if (!bulk.firstData || !bulk.dataSpan) return std::nullopt;
    const std::int64_t from = bulk.firstData->nanoseconds();
    return CarriedSpan{from, from + bulk.dataSpan->count()};
  }
  const auto from = detail.history.firstTime();
  if (!from) return std::nullopt;
  return CarriedSpan{from->nanoseconds(), detail.history.lastTime()->nanoseconds()};
}

/// Not the earlier one of two observations, nor the other end of the same connection.
bool isBeside(const ConnectionDetail& one, const ConnectionDetail& other) {
  const auto span = spanOf(one);
  const auto otherSpan = spanOf(other);
  if (!span || !otherSpan || span->from >= otherSpan->to || otherSpan->from >= span->to) return false;
  return one.row.id.place == other.row.id.place && one.socket.local.address == other.socket.local.address &&
         one.socket.remote.address == other.socket.remote.address;
}

/// It carries more than messages: what an idle session or a few requests leave beside a transfer is no stream of it.
bool carriesBulk(const ConnectionDetail& detail) {
  constexpr double kFewBytes = 65536.0;
  const auto transfer = observedTransfer(detail);
  return isActive(detail.diagnosis) && transfer && transfer->bytes >= kFewBytes;
}

bool sendsBulk(const ConnectionDetail& detail) {
  return detail.packets ? bulkDirection(detail) == 0 : detail.row.bulk == Side::sending;
}

LoadFacts loadFactsOf(const ReportedConnection& connection, std::span<const ReportedConnection> all) {
  const ConnectionDetail& detail = *connection.detail;
  LoadFacts facts;
  for (const ReportedConnection& other : all) {
    if (other.detail == connection.detail || !carriesBulk(detail) || !carriesBulk(*other.detail)) continue;
    const bool isStream = sendsBulk(detail) == sendsBulk(*other.detail) && isBeside(detail, *other.detail);
    facts.streams += isStream ? 1U : 0U;
  }
  facts.rttSeconds = rttSecondsOf(detail);
  if (const auto transfer = observedTransfer(detail)) {
    facts.bytes = transfer->bytes;
    facts.rate = transfer->rate();
  }
  return facts;
}

/// "this connection", "connection 2", "connections 1, 3"; empty where the load is that of none.
std::string fittingText(const std::vector<std::optional<TuningLoad>>& loads, TuningLoad load) {
  std::vector<std::size_t> fitting;
  for (std::size_t index = 0; index < loads.size(); ++index) {
    if (loads[index] == load) fitting.push_back(index + 1);
  }
  if (fitting.empty()) return {};
  if (loads.size() == 1) return "this connection";
  return fmt::format("connection{} {}", fitting.size() == 1 ? "" : "s", fmt::join(fitting, ", "));
}

}  // namespace

std::vector<std::optional<TuningLoad>> loadsOf(std::span<const ReportedConnection> connections) {
  std::vector<std::optional<TuningLoad>> loads;
  for (const ReportedConnection& connection : connections)
    loads.push_back(loadOf(loadFactsOf(connection, connections)));
  return loads;
}

void addTuningGuide(std::vector<ReportBlock>& blocks, std::span<const ReportedConnection> connections) {
  const std::vector<std::optional<TuningLoad>> loads = loadsOf(connections);
  blocks.emplace_back(ReportHeading{3, std::string(kTuningGuideTitle)});
  blocks.emplace_back(ReportParagraph{std::string(tuningGuideIntroduction())});
  ReportTable table{"", {"Load", "Use", "Why", "The paper, 2002"}, {}};
  for (const TuningLoad load : kTuningLoads) {
    const TuningGuideRow row = guideRow(load);
    const std::string fitting = fittingText(loads, load);
    table.rows.push_back({fitting.empty() ? std::string(row.load) : fmt::format("▶ {} ({})", row.load, fitting),
                          std::string(row.use), std::string(row.why), std::string(row.paper)});
  }
  blocks.emplace_back(std::move(table));
  ReportFacts first;
  for (const TuningFirstStep& step : tuningFirstSteps()) first.rows.emplace_back(step.step, step.today);
  blocks.emplace_back(ReportHeading{4, "First, for every load"});
  blocks.emplace_back(std::move(first));
}

}  // namespace tcpscope
