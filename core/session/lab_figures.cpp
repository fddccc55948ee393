#include "core/session/lab_figures.h"

#include <algorithm>

#include "core/wire/loss/loss_intervals.h"

namespace tcpscope::lab {

std::vector<std::pair<std::string, double>> namedFigures(const LabFigures& figures) {
  std::vector<std::pair<std::string, double>> named = {{"goodput_bps", figures.goodput.value()}};
  if (figures.utilizationRatio) named.emplace_back("utilization_ratio", *figures.utilizationRatio);
  if (figures.jainFairnessRatio) named.emplace_back("jain_fairness_ratio", *figures.jainFairnessRatio);
  if (figures.utilizationRatio && figures.jainFairnessRatio) {
    named.emplace_back("utilization_fairness_ratio", *figures.utilizationRatio * *figures.jainFairnessRatio);
  }
  if (figures.completionSeconds) named.emplace_back("completion_s", *figures.completionSeconds);
  named.emplace_back("drops", static_cast<double>(figures.drops));
  constexpr double kHundredth = 0.01;
  if (const auto ratio = ratioWithin(figures.dropIntervalsRtt, kHundredth)) {
    named.emplace_back("drops_within_hundredth_rtt_ratio", *ratio);
  }
  if (const auto ratio = ratioWithin(figures.dropIntervalsRtt, 1.0))
    named.emplace_back("drops_within_rtt_ratio", *ratio);
  named.emplace_back("marks", static_cast<double>(figures.marks));
  named.emplace_back("queue_peak_bytes", static_cast<double>(figures.queuePeak.value()));
  named.emplace_back("lateness_p999_us", toSeconds(figures.lateness.p999) * 1e6);
  named.emplace_back("lateness_max_us", toSeconds(figures.lateness.worst) * 1e6);
  if (figures.traffic.size() > 1) {
    for (const TrafficFigures& one : figures.traffic)
      named.emplace_back("goodput_bps." + one.name, one.goodput.value());
  }
  for (const HostFigures& host : figures.hosts) {
    if (host.cpuRatio) named.emplace_back("cpu_ratio." + host.name, *host.cpuRatio);
    if (host.cpuNanosecondsPerByte) named.emplace_back("cpu_ns_per_byte." + host.name, *host.cpuNanosecondsPerByte);
    if (!host.socketMemoryPeak) continue;
    named.emplace_back("socket_memory_peak_bytes." + host.name, static_cast<double>(host.socketMemoryPeak->value()));
  }
  return named;
}

const SampleSummary* LabCell::figure(std::string_view key) const {
  const auto found = std::find_if(figures.begin(), figures.end(), [&](const auto& one) { return one.first == key; });
  return found == figures.end() ? nullptr : &found->second;
}

std::span<const RunValue> LabCell::valuesOf(std::string_view key) const {
  const auto found =
      std::find_if(runValues.begin(), runValues.end(), [&](const auto& one) { return one.first == key; });
  return found == runValues.end() ? std::span<const RunValue>() : found->second;
}

LabCell cellOf(std::vector<LabSetting> settings, const std::vector<LabFigures>& runs, LateRuns late) {
  LabCell cell;
  cell.settings = std::move(settings);
  cell.runs = runs.size();
  auto& values = cell.runValues;
  std::size_t number = 0;
  for (const LabFigures& run : runs) {
    ++number;
    if (late == LateRuns::leftOut && isLate(run.lateness)) {
      ++cell.lateRuns;
      cell.lateness.p999 = std::max(cell.lateness.p999, run.lateness.p999);
      cell.lateness.worst = std::max(cell.lateness.worst, run.lateness.worst);
      continue;
    }
    cell.dropIntervalsRtt.insert(cell.dropIntervalsRtt.end(), run.dropIntervalsRtt.begin(), run.dropIntervalsRtt.end());
    for (auto& [key, value] : namedFigures(run)) {
      const auto same = [&key = key](const auto& one) { return one.first == key; };
      auto row = std::find_if(values.begin(), values.end(), same);
      if (row == values.end()) row = values.insert(values.end(), {key, {}});
      row->second.push_back({number, value});
    }
  }
  for (const auto& [key, all] : values) {
    std::vector<double> bare;
    bare.reserve(all.size());
    for (const RunValue& one : all) bare.push_back(one.value);
    cell.figures.emplace_back(key, summarize(bare));
  }
  return cell;
}

bool isWithoutFigures(const std::vector<LabCell>& cells) {
  const auto isEmpty = [](const LabCell& cell) { return cell.figures.empty(); };
  const auto isLeftOut = [](const LabCell& cell) { return cell.lateRuns > 0; };
  return std::all_of(cells.begin(), cells.end(), isEmpty) && std::any_of(cells.begin(), cells.end(), isLeftOut);
}

}  // namespace tcpscope::lab
