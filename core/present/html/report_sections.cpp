#include "core/present/html/report_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/escape.h"
#include "core/diagnosis/bounds/transfer_metrics.h"
#include "core/model/metric_catalogue.h"
#include "core/present/report/report_plots.h"
#include "core/present/text/comparison_text.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/exchange_text.h"
#include "core/present/text/flow_text.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/remedy_text.h"
#include "core/present/text/report_text.h"
#include "core/present/text/target_text.h"
#include "core/session/capture/captured_packets.h"
#include "core/session/history_events.h"
#include "core/wire/loss/loss_summary.h"

namespace tcpscope {

namespace {

std::string sampleText(const SampleSummary& sample) {
  std::string mean = formatRate(BitsPerSecond(sample.mean));
  if (!sample.meanInterval95) return mean;
  return fmt::format("{} ({} to {})", mean, formatRate(BitsPerSecond(std::max(sample.meanInterval95->low, 0.0))),
                     formatRate(BitsPerSecond(sample.meanInterval95->high)));
}

class ConnectionSections {
public:
  ConnectionSections(std::vector<ReportBlock>& blocks, const ReportedConnection& connection)
      : m_blocks(blocks), m_connection(connection), m_detail(*connection.detail) {}

  void add(const ClockPair& clock, std::size_t index, std::size_t count, bool isSummarized) {
    heading(isSummarized ? 3 : 2, fmt::format("{}{} – {}", count > 1 ? fmt::format("{}. ", index + 1) : std::string(),
                                              m_detail.socket.local.toString(), m_detail.socket.remote.toString()));
    const auto sides = sidesOf(m_detail.diagnosis);
    if (!isSummarized) addVerdict();
    addFacts(clock);
    if (!sides.empty()) addEvidence(*sides.front());
    for (TimePlot& plot : plotsOf(m_detail, clock)) {
      if (isOfSummary(plot)) continue;
      heading(4, plot.title);
      m_blocks.emplace_back(ReportFigure{std::move(plot)});
    }
    for (const SideDiagnosis* side : sides) addAdvice(*side);
    const bool isShown = isSummarized && m_connection.changes.size() <= kMostSummarizedChanges;
    if (!isShown) addChangesTable(m_blocks, m_connection, m_connection.changes.size());
    for (const SideDiagnosis* side : sides) addFindings(*side);
    if (!sides.empty()) addBounds(*sides.front());
    if (sides.size() > 1) addOtherSide(*sides.back());
    addExchanges();
    addOptions();
    addLosses();
    addEvents();
  }

private:
  void heading(int level, std::string text) { m_blocks.emplace_back(ReportHeading{level, std::move(text)}); }
  void paragraph(std::string text) { m_blocks.emplace_back(ReportParagraph{std::move(text)}); }

  void addVerdict() {
    m_blocks.emplace_back(ReportVerdict{verdictSentence(m_detail), confidenceSentence(m_detail.diagnosis.verdict)});
  }

  void addFacts(const ClockPair& clock) {
    ReportFacts facts;
    facts.rows.emplace_back(m_connection.negotiatedByPackets ? "Local address (initiator)" : "Local address",
                            m_detail.socket.local.toString());
    facts.rows.emplace_back("Remote address", m_detail.socket.remote.toString());
    facts.rows.emplace_back("State", m_detail.row.closed ? "closed" : name(m_detail.socket.state));
    if (m_detail.owner) {
      facts.rows.emplace_back(
          "Process", fmt::format("{} (PID {})", forPlainText(m_detail.owner->processName), m_detail.owner->pid));
      if (m_detail.owner->userName) facts.rows.emplace_back("User", forPlainText(*m_detail.owner->userName));
      if (m_detail.owner->unitOrContainer) {
        facts.rows.emplace_back("Unit or container", forPlainText(*m_detail.owner->unitOrContainer));
      }
    }
    for (const SideDiagnosis* side : sidesOf(m_detail.diagnosis)) {
      if (!side->goodput) continue;
      facts.rows.emplace_back(side->side == Side::sending ? "Tx rate" : "Rx rate",
                              rateText(m_detail, *side) + spanText());
    }
    if (const auto from = m_detail.history.firstTime()) {
      facts.rows.emplace_back("Observed from", formatWallTime(clock.wallAt(*from)));
      facts.rows.emplace_back("Observed for", formatTime(toSeconds(*m_detail.history.lastTime() - *from)));
    }
    m_blocks.emplace_back(std::move(facts));
  }

  /// Of a running connection the rate of a side is that of the last seconds.
  [[nodiscard]] std::string spanText() const {
    const double seconds = toSeconds(m_detail.window.to - m_detail.window.from);
    if (m_detail.packets || seconds <= 0.0) return {};
    return fmt::format(", mean of the last {}", formatTime(seconds));
  }

  void addEvidence(const SideDiagnosis& side) {
    heading(3, "Evidence");
    ReportItems items;
    for (const Evidence& one : side.verdict.evidence) items.items.push_back(sentence(one));
    if (const std::string shares = sharesText(side.limits); !shares.empty()) {
      items.items.push_back("Shares of the limits: " + shares);
    }
    if (side.side == Side::sending) {
      const std::string metrics = metricsText(transferMetrics(m_detail.socket, m_detail.window));
      if (!metrics.empty()) items.items.push_back("By RFC 6349: " + metrics);
    }
    if (!items.items.empty()) m_blocks.emplace_back(std::move(items));
  }

  void addAdvice(const SideDiagnosis& side) {
    const auto& advice = side.side == Side::sending ? m_connection.advice.sending : m_connection.advice.receiving;
    if (!advice) return;
    const bool isBulk = side.side == m_detail.diagnosis.bulk;
    // The reason for missing advice is of no interest for an idle direction.
    if (!isBulk && advice->remedies.empty()) return;
    heading(3, isBulk ? "Advice" : "Advice for the reverse direction");
    if (advice->whyNot != WhyNoAdvice::none) paragraph(std::string(sentence(advice->whyNot)));
    for (const Remedy& remedy : advice->remedies) addRemedy(remedy);
    if (advice->target) paragraph(sentence(*advice->target));
    if (advice->lossBudget) paragraph(sentence(*advice->lossBudget));
  }

  void addRemedy(const Remedy& remedy) {
    heading(4, title(remedy));
    paragraph(sentence(remedy));
    ReportFacts facts;
    facts.rows.emplace_back("Expected", sentence(remedy.gain));
    facts.rows.emplace_back("Applies to", reachSentence(remedy));
    if (std::string cost = memoryText(remedy); !cost.empty()) facts.rows.emplace_back("Memory", std::move(cost));
    for (const Precondition condition : remedy.preconditions) facts.rows.emplace_back("Note", sentence(condition));
    facts.rows.emplace_back("Confidence", confidenceSentence(remedy.confidenceRatio));
    m_blocks.emplace_back(std::move(facts));
    if (const std::string text = letter(remedy); !text.empty()) {
      m_blocks.emplace_back(ReportLines{"Message for the peer's administrator", linesIn(text)});
    }
    if (remedy.place == RemedyPlace::peer || remedy.changes.empty()) return;
    m_blocks.emplace_back(ReportLines{"Commands", linesToRun(remedy)});
  }

  void addFindings(const SideDiagnosis& side) {
    if (side.findings.empty()) return;
    heading(3, side.side == m_detail.diagnosis.bulk ? "Findings" : "Findings in the reverse direction");
    for (const Finding& found : side.findings) {
      heading(4, fmt::format("{} ({})", title(found.rule), name(found.severity)));
      paragraph(sentence(found, side.side));
      ReportItems items;
      for (const Evidence& one : found.evidence) items.items.push_back(sentence(one));
      if (!items.items.empty()) m_blocks.emplace_back(std::move(items));
    }
  }

  void addBounds(const SideDiagnosis& side) {
    ReportTable table{"Bounds: the rate that each limit allows on its own", {"Limit", "Rate", "Note"}, {}};
    for (const Bound& bound : side.bounds) {
      const std::string_view least = bound.whyNot == WhyNoBound::noLossSeen ? "at least " : "";
      table.rows.push_back({std::string(title(bound.model)),
                            hasRate(bound) ? fmt::format("{}{}", least, formatRate(*bound.rate)) : std::string("–"),
                            noteOf(bound)});
    }
    if (table.rows.empty()) return;
    heading(3, "Bounds");
    m_blocks.emplace_back(std::move(table));
  }

  void addOtherSide(const SideDiagnosis& side) {
    if (side.verdict.limit == Limit::idle || !side.goodput || side.goodput->value() <= 0.0) return;
    heading(3, "Reverse direction");
    const std::string confidence = confidenceSentence(side.verdict);
    paragraph(verdictSentence(m_detail, side.verdict, side.side) + (confidence.empty() ? "" : " " + confidence));
  }

  void addExchanges() {
    if (!m_detail.packets || !m_detail.packets->analysis.exchanges) return;
    const ExchangeSummary& exchanges = *m_detail.packets->analysis.exchanges;
    heading(3, "Requests and responses");
    ReportFacts facts;
    facts.rows.emplace_back("Exchanges", shares(exchanges));
    facts.rows.emplace_back("Response time", responseTimes(exchanges));
    m_blocks.emplace_back(std::move(facts));
  }

  void addOptions() {
    ReportFacts facts;
    if (m_connection.negotiatedByPackets)
      facts.rows.emplace_back("From the handshake", *m_connection.negotiatedByPackets);
    for (NamedText& text : negotiatedTexts(m_detail.socket)) facts.rows.push_back(std::move(text));
    if (facts.rows.empty()) return;
    heading(3, "Negotiated options");
    m_blocks.emplace_back(std::move(facts));
  }

  void addLosses() {
    if (m_detail.packets) {
      addLosses(m_detail.packets->analysis.directions[bulkDirection(m_detail)].loss);
    } else if (m_detail.losses) {
      addLosses(*m_detail.losses);
    }
  }

  void addLosses(const LossSummary& loss) {
    if (loss.lostPackets == 0) return;
    heading(3, "Losses and loss bursts");
    ReportItems items;
    items.items.push_back(fmt::format("{} packet{} lost, in {} loss event{}", loss.lostPackets,
                                      loss.lostPackets == 1 ? "" : "s", loss.events.size(),
                                      loss.events.size() == 1 ? "" : "s"));
    items.items.push_back(sentence(loss.verdict));
    if (loss.randomDrop) items.items.push_back(sentence(*loss.randomDrop));
    if (loss.model) items.items.push_back(sentence(*loss.model));
    if (m_detail.packets) items.items.emplace_back(kCaptureHoldsSendersBursts);
    m_blocks.emplace_back(std::move(items));
  }

  void addEvents() {
    if (m_detail.events.empty()) return;
    heading(3, "Events");
    ReportFacts facts;
    for (const auto& [kind, times] : timesByKind(m_detail.events))
      facts.rows.emplace_back(titleOf(m_detail, kind), std::to_string(times));
    m_blocks.emplace_back(std::move(facts));
  }

  std::vector<ReportBlock>& m_blocks;
  const ReportedConnection& m_connection;
  const ConnectionDetail& m_detail;
};

}  // namespace

std::vector<std::string> linesIn(std::string_view text) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

void addConnection(std::vector<ReportBlock>& blocks, const ReportedConnection& connection, const ClockPair& clock,
                   std::size_t index, std::size_t count) {
  ConnectionSections(blocks, connection).add(clock, index, count, false);
}

void addDetails(std::vector<ReportBlock>& blocks, const ReportedConnection& connection, const ClockPair& clock,
                std::size_t index, std::size_t count) {
  ConnectionSections(blocks, connection).add(clock, index, count, true);
}

void addChangesTable(std::vector<ReportBlock>& blocks, const ReportedConnection& connection, std::size_t most) {
  if (connection.changes.empty()) return;
  blocks.emplace_back(ReportHeading{3, "Before and after"});
  blocks.emplace_back(ReportParagraph{
      "Settings changed while the connection was observed. Compared is the goodput in the minute before and after; "
      "other changes of the path at that time are included."});
  ReportTable table{"Goodput before and after each change, with 95 % confidence intervals of the means",
                    {"Change", "Before", "After", "Difference"},
                    {}};
  for (const MeasuredChange& change : connection.changes) {
    if (table.rows.size() == most) {
      table.caption += fmt::format(": {} of {}, the whole report has all", most, connection.changes.size());
      break;
    }
    std::vector<std::string> cells = {sentence(change.mark)};
    if (change.comparison) {
      cells.push_back(sampleText(change.comparison->before));
      cells.push_back(sampleText(change.comparison->after));
      cells.push_back(sentence(*change.comparison, SampleKind::blocks));
    } else {
      cells.insert(cells.end(), {"–", "–", "too few samples to compare"});
    }
    table.rows.push_back(std::move(cells));
  }
  blocks.emplace_back(std::move(table));
}

std::string rateText(const ConnectionDetail& detail, const SideDiagnosis& side) {
  if (!detail.packets || !side.goodput) return sideText(side);
  const Endpoint& sender = side.side == Side::sending ? detail.socket.local : detail.socket.remote;
  return fmt::format("{} sends {}", sender.address.toString(), formatRate(*side.goodput));
}

std::string_view titleOf(const ConnectionDetail& detail, HistoryEventKind kind) {
  return detail.packets ? titleOfPackets(kind) : title(kind);
}

std::vector<std::string> linesToRun(const Remedy& remedy) {
  std::vector<std::string> lines;
  for (const SettingChange& change : remedy.changes) {
    for (std::string& line : linesIn(commandLine(change))) lines.push_back(std::move(line));
    lines.push_back(change.now ? "# now: " + *change.now : std::string("# now: unknown"));
  }
  return lines;
}

bool isOfSummary(const TimePlot& plot) {
  return plot.isStrip() || plot.quantity == PlotQuantity::rate;
}

void addVariables(std::vector<ReportBlock>& blocks, const ReportedConnection& connection, std::size_t index,
                  std::size_t count) {
  const ConnectionDetail& detail = *connection.detail;
  ReportTable table{
      fmt::format("Last values of {} – {}", detail.socket.local.toString(), detail.socket.remote.toString()),
      {"Variable", "Value", "Meaning", "How to read it"},
      {}};
  for (const MetricRow& row : metricCatalogue()) {
    std::optional<double> value = row.read({detail.socket, &detail.interval});
    // A capture has no socket: its values are in the history.
    if (!value && detail.history.lastTime()) value = detail.history.valueAt(row.metric, *detail.history.lastTime());
    if (!value || std::isnan(*value)) continue;
    table.rows.push_back({fmt::format("{} ({})", row.title, row.key), formatMetric(row.metric, *value),
                          std::string(row.explanation), std::string(row.reading)});
  }
  if (table.rows.empty()) return;
  blocks.emplace_back(ReportHeading{
      3, count > 1 ? fmt::format("All variables of connection {}", index + 1) : std::string("All variables")});
  blocks.emplace_back(std::move(table));
}

}  // namespace tcpscope
