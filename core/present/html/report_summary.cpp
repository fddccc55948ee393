#include "core/present/html/report_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/escape.h"
#include "core/diagnosis/evidence/exchange_shares.h"
#include "core/present/html/report_sections.h"
#include "core/present/report/peer_mail.h"
#include "core/present/report/report_plots.h"
#include "core/present/report/summary_plots.h"
#include "core/present/text/checkup_text.h"
#include "core/present/text/comparison_text.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/exchange_text.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/remedy_text.h"
#include "core/present/text/report_text.h"
#include "core/session/capture/captured_packets.h"
#include "core/session/transfer_stretch.h"

namespace tcpscope {

namespace {

constexpr std::size_t kMostRemedies = 3;
constexpr std::size_t kMostEvidence = 4;
constexpr std::size_t kMostCommands = 8;
/// Lower than in the appendix, so that all plots have room.
constexpr double kSummaryAxes = 130.0;
/// Longer names than any that is not made to fill a page.
constexpr std::size_t kLongestName = 64;

std::string shortened(std::string text) {
  if (text.size() <= kLongestName) return text;
  std::size_t size = kLongestName;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size) + "…";
}

class ConnectionSummaryPages {
public:
  ConnectionSummaryPages(std::vector<ReportBlock>& blocks, const ReportModel& report, std::size_t index)
      : m_blocks(blocks),
        m_report(report),
        m_connection(report.connections[index]),
        m_detail(*m_connection.detail),
        m_sends(m_detail.diagnosis.bulk == Side::sending) {}

  void add() {
    addKeyFigures();
    addActions();
    addChangesTable(m_blocks, m_connection, kMostSummarizedChanges);
    addPlots();
  }

private:
  void heading(int level, std::string text) { m_blocks.emplace_back(ReportHeading{level, std::move(text)}); }

  [[nodiscard]] const SideDiagnosis* bulk() const {
    const auto& side = m_sends ? m_detail.diagnosis.sending : m_detail.diagnosis.receiving;
    return side ? &*side : nullptr;
  }

  [[nodiscard]] std::string hostName() const {
    for (const Place& place : m_report.places) {
      if (place.id == m_detail.row.id.place && !place.host.empty()) {
        return fmt::format("{} ({})", shortened(forPlainText(place.host)), m_detail.socket.local.address.toString());
      }
    }
    return m_detail.socket.local.address.toString();
  }

  [[nodiscard]] std::string whoActs(const Remedy& remedy) const {
    const std::string peer = m_detail.socket.remote.address.toString();
    switch (remedy.place) {
      case RemedyPlace::here:
        return "Administrator of " + hostName();
      case RemedyPlace::program:
        return m_detail.owner ? fmt::format("Developer or administrator of the application {} on {}",
                                            shortened(forPlainText(m_detail.owner->processName)), hostName())
                              : "Developer or administrator of the application on " + hostName();
      case RemedyPlace::peer:
        return "Administrator of the peer, " + peer;
      case RemedyPlace::eitherEnd:
        break;
    }
    return fmt::format("Administrator of {} or of {}", hostName(), peer);
  }

  void addKeyFigures() {
    ReportFacts facts;
    const auto transfer = observedTransfer(m_detail);
    if (transfer && isOneFlight(*transfer)) {
      // What left at once has the rate of the sender's adapter.
      facts.rows.emplace_back("Data", fmt::format("{} {}, in a single flight", formatBytes(transfer->bytes),
                                                  m_sends ? "sent" : "received"));
    } else if (transfer) {
      facts.rows.emplace_back(
          "Mean rate", fmt::format("{} {}: {} in {}, {}", formatRate(transfer->rate()), m_sends ? "sent" : "received",
                                   formatBytes(transfer->bytes), formatTime(transfer->seconds),
                                   transfer->isCaptured ? "from the first byte to the last" : "the whole observation"));
    }
    const SideDiagnosis* const side = bulk();
    if (side != nullptr) {
      if (const std::string shares = sharesText(side->limits); !shares.empty()) {
        facts.rows.emplace_back("Limits", shares);
      }
    }
    if (const auto from = m_detail.history.firstTime()) {
      // A recording has the same of all connections.
      if (!m_report.recording) {
        const Nanoseconds span = *m_detail.history.lastTime() - *from;
        const std::string length = span > Nanoseconds::zero() ? ", for " + formatTime(toSeconds(span)) : std::string();
        facts.rows.emplace_back("Observed",
                                fmt::format("from {}{}", formatWallTime(m_report.clock.wallAt(*from)), length));
      }
    }
    addRtt(facts);
    if (m_detail.packets && m_detail.packets->analysis.exchanges) {
      facts.rows.emplace_back("Exchanges", shares(*m_detail.packets->analysis.exchanges));
    }
    if (!facts.rows.empty()) m_blocks.emplace_back(std::move(facts));
    if (side == nullptr) return;
    ReportItems items;
    for (const Evidence& one : side->verdict.evidence) {
      if (items.items.size() < kMostEvidence) items.items.push_back(sentence(one));
    }
    if (!items.items.empty()) m_blocks.emplace_back(std::move(items));
  }

  [[nodiscard]] bool isOneFlight(const ObservedTransfer& transfer) const {
    return transfer.isCaptured && m_detail.packets &&
           !m_detail.packets->analysis.flow.directions[bulkDirection(m_detail)].goodput;
  }

  /// Of the whole path: at the receiver, the time from data to its acknowledgment is that of the receiver alone.
  void addRtt(ReportFacts& facts) const {
    if (m_detail.packets) {
      if (const auto rtt = pathRtt(m_detail.packets->analysis.flow, bulkDirection(m_detail))) {
        facts.rows.emplace_back("RTT", formatQuantileTime(toSeconds(*rtt)) + " over the whole path, queues included");
      }
      return;
    }
    const auto from = m_detail.history.firstTime();
    const auto rtt = from ? smallestRtt(m_detail.history, *from, *m_detail.history.lastTime()) : std::nullopt;
    if (rtt) facts.rows.emplace_back("Minimum RTT", formatTime(toSeconds(*rtt)));
  }

  void addActions() {
    heading(3, "What to do");
    const auto& advice = m_sends ? m_connection.advice.sending : m_connection.advice.receiving;
    if (!advice || advice->remedies.empty()) return addNextStep(advice ? advice->whyNot : WhyNoAdvice::none);
    ReportTable table{"", {"", "Action", "By whom", "Expected"}, {}};
    for (const Remedy& remedy : advice->remedies) {
      if (table.rows.size() == kMostRemedies) break;
      table.rows.push_back(
          {std::to_string(table.rows.size() + 1), title(remedy), whoActs(remedy), sentence(remedy.gain)});
    }
    if (advice->remedies.size() > kMostRemedies) {
      table.caption =
          fmt::format("The first {} of {}; the whole report has all", kMostRemedies, advice->remedies.size());
    }
    m_blocks.emplace_back(std::move(table));
    addCommands(advice->remedies.front());
    if (auto mail = peerMail(m_connection, m_report.clock)) {
      // Placeholders have no administrator to write to.
      if (m_report.isAnonymous) mail->subject.clear();
      m_blocks.emplace_back(
          ReportLines{"Message for the peer's administrator", std::move(mail->lines), std::move(mail->subject)});
    }
  }

  /// Where no setting helps: what was found, which names what to check, and by whom.
  void addNextStep(WhyNoAdvice whyNot) {
    const bool isForSender = whyNot == WhyNoAdvice::congestionControlUnknown || whyNot == WhyNoAdvice::policerOnPath;
    if (!isForSender) {
      m_blocks.emplace_back(
          ReportParagraph{whyNot != WhyNoAdvice::none ? std::string(sentence(whyNot)) : "No advice."});
    }
    addWorstFinding();
    if (!isForSender) return;
    m_blocks.emplace_back(
        ReportFacts{{{"At the sender", std::string(sentence(whyNot))}, {"By whom", administrator(m_sends)}}});
  }

  void addWorstFinding() {
    const SideDiagnosis* const side = bulk();
    if (side == nullptr) return;
    // Losses do not explain what the application limits, however bad they are.
    const auto rank = [&](const Finding& found) {
      const bool isOfApplication =
          found.rule == RuleId::applicationTooSlow || found.rule == RuleId::receivingApplicationTooSlow;
      return std::pair(isOfApplication == (side->verdict.limit == Limit::application), found.severity);
    };
    const auto worst = std::max_element(side->findings.begin(), side->findings.end(),
                                        [&](const Finding& a, const Finding& b) { return rank(a) < rank(b); });
    if (worst == side->findings.end()) return;
    ReportFacts facts;
    facts.rows.emplace_back(std::string(title(worst->rule)), sentence(*worst, side->side));
    if (std::string who = whoChecks(side->verdict); !who.empty()) {
      facts.rows.emplace_back("By whom", std::move(who));
    }
    m_blocks.emplace_back(std::move(facts));
  }

  [[nodiscard]] std::string networkOperator() const {
    return fmt::format("Operator of the network between {} and {}", m_detail.socket.local.address.toString(),
                       m_detail.socket.remote.address.toString());
  }

  [[nodiscard]] std::string whoRuns(bool isHere) const {
    const bool isKnown = isHere && m_detail.owner;
    return fmt::format("Developer or administrator of the application{} on {}",
                       isKnown ? " " + shortened(forPlainText(m_detail.owner->processName)) : "",
                       isHere ? hostName() : m_detail.socket.remote.address.toString());
  }

  [[nodiscard]] std::string administrator(bool isHere) const {
    return "Administrator of " + (isHere ? hostName() : "the peer, " + m_detail.socket.remote.address.toString());
  }

  [[nodiscard]] std::string whoChecks(const Verdict& verdict) const {
    if (verdict.exchanges) {
      const SlowPart slow = slowestOf(*verdict.exchanges);
      return slow == SlowPart::path ? networkOperator() : whoRuns(slow == SlowPart::here);
    }
    if (verdict.cause == Cause::slowReader) return whoRuns(!m_sends);
    switch (verdict.limit) {
      case Limit::network:
      case Limit::recovery:
      case Limit::timeout:
        return networkOperator();
      case Limit::application:
        return whoRuns(m_sends);
      case Limit::receiver:
        return administrator(!m_sends);
      case Limit::sendBuffer:
        return administrator(m_sends);
      default:
        return {};
    }
  }

  void addCommands(const Remedy& remedy) {
    ReportLines lines{"Commands for action 1", linesToRun(remedy)};
    if (remedy.place == RemedyPlace::peer || lines.lines.empty()) return;
    if (lines.lines.size() > kMostCommands) {
      lines.lines.resize(kMostCommands);
      lines.lines.emplace_back("# … see the whole report");
    }
    m_blocks.emplace_back(std::move(lines));
  }

  void addPlot(TimePlot plot) {
    if (!plot.isStrip()) plot.axesHeight = kSummaryAxes;
    if (plot.isStrip()) {
      // The letters of limits stand there; the rate above it names the changes.
      for (PlotMark& mark : plot.marks) mark.label.clear();
    }
    heading(4, plot.title);
    m_blocks.emplace_back(ReportFigure{std::move(plot)});
  }

  void addPlots() {
    if (auto plot = sequencePlot(m_detail, m_report.clock)) addPlot(std::move(*plot));
    auto rate = transferRatePlot(m_detail, m_report.clock);
    for (TimePlot& plot : plotsOf(m_detail, m_report.clock)) {
      if (!isOfSummary(plot)) continue;
      if (!plot.isStrip()) addMeans(plot, m_connection);
      addPlot(rate && !plot.isStrip() ? std::move(*rate) : std::move(plot));
    }
    if (auto plot = lossIntervalPlot(m_detail)) addPlot(std::move(*plot));
  }

  std::vector<ReportBlock>& m_blocks;
  const ReportModel& m_report;
  const ReportedConnection& m_connection;
  const ConnectionDetail& m_detail;
  bool m_sends;
};

}  // namespace

void addSummary(std::vector<ReportBlock>& blocks, const ReportModel& report, std::size_t index) {
  ConnectionSummaryPages(blocks, report, index).add();
}

}  // namespace tcpscope
