#include "app/lab/run/lab_campaign.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/lab/run/campaign_notes.h"
#include "app/lab/scenario/scenario_parser.h"
#include "core/present/text/lab_text.h"

namespace tcpscope::lab {

namespace {

using Failure = Unexpected<LabError>;

std::vector<std::pair<std::string, double>> pathFigures(const PathSettings& settings) {
  std::vector<std::pair<std::string, double>> figures;
  const auto add = [&](const std::string& direction, const LinkSettings& link) {
    figures.emplace_back(direction + "rate_bps", link.rate.value_or(BitsPerSecond::unlimited()).value());
    figures.emplace_back(direction + "delay_us", toSeconds(link.delay) * 1e6);
    figures.emplace_back(direction + "queue_bytes", static_cast<double>(link.queue.limit.value()));
    if (const auto* const loss = std::get_if<BernoulliLoss>(&link.loss)) {
      figures.emplace_back(direction + "loss_ratio", loss->ratio);
    }
  };
  add("", settings.path.forward);
  if (settings.path.backward != settings.path.forward) add("backward_", settings.path.backward);
  return figures;
}

std::vector<LabSetting> settingsOf(const std::vector<Assignment>& cell) {
  std::vector<LabSetting> settings;
  settings.reserve(cell.size());
  for (const Assignment& one : cell) settings.push_back({one.key, one.value});
  return settings;
}

/// Why a part of the traffic is not carried here. Without it the figures would be those of another scenario: fairness
/// among flows of which one did not run, the rate of a path that is not shared.
std::optional<std::string> skippedReason(const ScenarioRun& run) {
  if (run.skipped.empty()) return std::nullopt;
  const SkippedTraffic& first = run.skipped.front();
  return fmt::format("{} did not run: {}", first.traffic, sentence(first.reason));
}

class Campaign {
public:
  Campaign(const Scenario& scenario, const WaitUntil& waitUntil, const RunEnded& runEnded)
      : m_scenario(scenario),
        m_waitUntil(waitUntil),
        m_runEnded(runEnded),
        m_cells(sweepCells(scenario)),
        m_repeats(scenario.repeats) {
    m_document.scenario = scenario.name;
    m_document.title = scenario.title;
    m_document.truth = scenario.truth;
    m_document.path = pathFigures(scenario.path);
  }

  Expected<LabRunDocument, LabError> run() {
    for (const std::vector<Assignment>& cell : m_cells) {
      if (auto done = runCell(cell); !done) return Failure(done.error());
      if (m_interrupted) break;
    }
    if (m_done == 0 && m_firstError) return Failure(*m_firstError);
    m_document.isCampaign = !isSingleRun();
    addLatenessNotes(m_document.cells, m_document.isCampaign, m_document.notes);
    if (isSingleRun()) m_document.cells.clear();
    addFitNotes(m_document.cells, m_document.notes);
    return std::move(m_document);
  }

private:
  [[nodiscard]] bool isSingleRun() const { return m_cells.size() == 1 && m_repeats == 1; }

  Expected<void, LabError> runCell(const std::vector<Assignment>& cell) {
    const auto single = cellOf(m_scenario, cell);
    // The parser has tried every cell before.
    if (!single) return Failure(LabError{LabErrorKind::setUpFailed, 0, UntrustedText(sentence(single.error()))});
    std::vector<LabFigures> figures;
    for (std::size_t repeat = 0; repeat < m_repeats && !m_interrupted; ++repeat) {
      Scenario scenario = *single;
      scenario.path.seed += repeat;
      const Watch watch = m_cells.size() == 1 ? Watch::yes : Watch::no;
      auto run = runOnce(scenario, watch, m_waitUntil);
      if (!run) {
        if (m_done == 0 && m_cells.size() == 1) return Failure(run.error());
        if (!m_firstError) m_firstError = run.error();
        m_document.notes.push_back(cellLabel(settingsOf(cell)) + sentence(run.error()));
        break;
      }
      take(scenario, *run, figures, cell);
    }
    m_document.cells.push_back(cellOf(settingsOf(cell), figures));
    return {};
  }

  void take(const Scenario& scenario, const ScenarioRun& run, std::vector<LabFigures>& figures,
            const std::vector<Assignment>& cell) {
    ++m_done;
    m_interrupted = run.interrupted;
    const std::optional<std::string> skipped = skippedReason(run);
    if (skipped && !m_document.skipped) m_document.skipped = skipped;
    const std::string label = cellLabel(settingsOf(cell));
    addRunNotes(scenario, run, label, m_document.notes);
    if (skipped) return;
    figures.push_back(run.figures);
    if (m_runEnded) m_runEnded(m_done, m_cells.size() * m_repeats, cellOf(settingsOf(cell), {run.figures}));
    // The path of a late run was another one than the scenario's.
    if (!isSingleRun() && isLate(run.figures.lateness)) return;
    m_document.figures = run.figures;
    if (run.agreement) m_document.agreements.push_back(*run.agreement);
    m_document.places = run.places;
    m_document.connections.clear();
    for (const WatchedTransfer& transfer : run.transfers) {
      if (transfer.sender) m_document.connections.push_back(transfer.sender);
      if (transfer.receiver) m_document.connections.push_back(transfer.receiver);
    }
  }

  const Scenario& m_scenario;
  const WaitUntil& m_waitUntil;
  const RunEnded& m_runEnded;
  std::vector<std::vector<Assignment>> m_cells;
  std::size_t m_repeats;
  LabRunDocument m_document;
  std::optional<LabError> m_firstError;
  std::size_t m_done = 0;
  bool m_interrupted = false;
};

}  // namespace

Expected<LabRunDocument, LabError> runCampaign(const Scenario& scenario, const WaitUntil& waitUntil,
                                               const RunEnded& runEnded) {
  return Campaign(scenario, waitUntil, runEnded).run();
}

}  // namespace tcpscope::lab
