#include "core/present/json/lab_document.h"

#include <algorithm>

#include "core/present/json/connection_json.h"

namespace tcpscope::lab {

namespace {

using json::arrayOf;
using json::figure;
using json::Json;

constexpr int kLabSchemaVersion = 1;

Json truthJson(const std::optional<Truth>& truth) {
  if (!truth) return nullptr;
  return {{"traffic", truth->traffic},
          {"limit", name(truth->limit)},
          {"cause", name(truth->cause)},
          {"findings", truth->findings},
          {"forbidden_findings", truth->forbiddenFindings}};
}

Json trafficJson(const TrafficFigures& traffic) {
  Json object = {
      {"name", traffic.name}, {"connections", traffic.connections}, {"goodput_bps", figure(traffic.goodput.value())}};
  if (traffic.fairShare) object["fair_share_bps"] = figure(traffic.fairShare->value());
  if (!traffic.completionSeconds.empty()) object["completion_s"] = traffic.completionSeconds;
  return object;
}

Json resultJson(const LabFigures& figures) {
  Json object = {{"goodput_bps", figure(figures.goodput.value())}};
  if (figures.utilizationRatio) object["utilization_ratio"] = *figures.utilizationRatio;
  if (figures.jainFairnessRatio) object["jain_fairness_ratio"] = *figures.jainFairnessRatio;
  if (figures.completionSeconds) object["completion_s"] = *figures.completionSeconds;
  object["drops"] = figures.drops;
  object["marks"] = figures.marks;
  object["queue_peak_bytes"] = figures.queuePeak.value();
  object["traffic"] = arrayOf(figures.traffic, trafficJson);
  return object;
}

Json answerJson(const Answer& answer, bool agrees) {
  return {{"limit", name(answer.limit)},
          {"cause", name(answer.cause)},
          {"confidence_ratio", answer.confidenceRatio},
          {"agrees", agrees}};
}

Json agreementJson(const Agreement& agreement) {
  return {{"agrees", agreement.agrees()},
          {"sender", answerJson(agreement.sender, agreement.senderAgrees)},
          {"receiver", answerJson(agreement.receiver, agreement.receiverAgrees)},
          {"missing_findings", agreement.missingFindings},
          {"forbidden_findings", agreement.forbiddenFindings}};
}

Json summaryJson(const SampleSummary& summary) {
  Json object = {{"n", summary.count}, {"mean", figure(summary.mean)}, {"median", figure(summary.median)}};
  if (summary.standardDeviation) object["standard_deviation"] = figure(*summary.standardDeviation);
  if (summary.meanInterval95) {
    object["mean_95_low"] = figure(summary.meanInterval95->low);
    object["mean_95_high"] = figure(summary.meanInterval95->high);
  }
  return object;
}

Json cellJson(const LabCell& cell) {
  Json settings = Json::object();
  for (const LabSetting& setting : cell.settings) settings[setting.key] = setting.value;
  Json figures = Json::object();
  for (const auto& [key, summary] : cell.figures) figures[key] = summaryJson(summary);
  return {{"settings", std::move(settings)}, {"runs", cell.runs}, {"figures", std::move(figures)}};
}

}  // namespace

std::optional<bool> LabRunDocument::agrees() const {
  if (!truth || agreements.empty() || skipped) return std::nullopt;
  return std::all_of(agreements.begin(), agreements.end(), [](const Agreement& one) { return one.agrees(); });
}

std::string toJson(std::span<const LabListEntry> scenarios) {
  const auto entry = [](const LabListEntry& one) {
    return Json{{"name", one.name}, {"title", one.title}, {"truth", truthJson(one.truth)}};
  };
  const Json document = {
      {"schema", "tcpscope.lab"}, {"schema_version", kLabSchemaVersion}, {"scenarios", arrayOf(scenarios, entry)}};
  return json::compact(document) + "\n";
}

std::string toJson(const LabRunDocument& run) {
  Json path = Json::object();
  for (const auto& [key, value] : run.path) path[key] = figure(value);
  Json document = {{"schema", "tcpscope.lab"},
                   {"schema_version", kLabSchemaVersion},
                   {"time", json::timeText(run.time)},
                   {"scenario", run.scenario},
                   {"title", run.title},
                   {"truth", truthJson(run.truth)},
                   {"path", std::move(path)}};
  if (run.figures) document["result"] = resultJson(*run.figures);
  const std::optional<bool> agrees = run.agrees();
  document["agrees"] = agrees ? Json(*agrees) : Json(nullptr);
  if (run.skipped) document["skipped"] = *run.skipped;
  document["judgements"] = arrayOf(run.agreements, agreementJson);
  if (!run.cells.empty()) document["cells"] = arrayOf(run.cells, cellJson);
  document["notes"] = run.notes;
  document["places"] = arrayOf(run.places, json::place);
  document["connections"] = arrayOf(run.connections, [](const auto& detail) { return json::connection(*detail); });
  return json::compact(document) + "\n";
}

}  // namespace tcpscope::lab
