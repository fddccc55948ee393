#include "core/present/json/advice_json.h"

#include "core/present/text/remedy_text.h"
#include "core/present/text/target_text.h"

namespace tcpscope::json {

namespace {

Json change(const SettingChange& change) {
  Json object = {{"kind", name(change.kind)}, {"key", change.key}};
  if (change.now) object["now"] = *change.now;
  object["wanted"] = change.wanted;
  object["command"] = commandLine(change);
  return object;
}

Json gain(const ExpectedGain& gain) {
  Json object = {{"why", name(gain.why)}, {"text", sentence(gain)}};
  if (gain.from) object["from_bps"] = figure(gain.from->value());
  if (gain.to) object["to_bps"] = figure(gain.to->value());
  if (gain.atMost) object["at_most_bps"] = figure(gain.atMost->value());
  if (gain.savesRtts) object["saves_rtts"] = figure(*gain.savesRtts);
  if (gain.savesSeconds) object["saves_us"] = figure(*gain.savesSeconds * 1e6);
  if (gain.waitsLessSeconds) object["waits_less_us"] = figure(*gain.waitsLessSeconds * 1e6);
  return object;
}

Json target(const TargetCheck& target) {
  Json object = {{"rate_bps", figure(target.rate.value())},
                 {"rtt_us", figure(target.rttSeconds * 1e6)},
                 {"outcome", name(target.outcome())},
                 {"parts", Json::array()},
                 {"text", sentence(target)}};
  for (const TargetPartCheck& check : target.parts) {
    Json part = {{"part", name(check.part)}, {"outcome", name(check.outcome)}, {"needs", figure(check.needs)}};
    if (check.has) part["has"] = figure(*check.has);
    object["parts"].push_back(std::move(part));
  }
  return object;
}

}  // namespace

Json remedy(const Remedy& remedy) {
  Json object = {{"remedy", name(remedy.id)},
                 {"place", name(remedy.place)},
                 {"reach", name(remedy.reach)},
                 {"title", title(remedy.id)},
                 {"text", sentence(remedy)},
                 {"changes", Json::array()},
                 {"gain", gain(remedy.gain)},
                 {"confidence_ratio", remedy.confidenceRatio},
                 {"evidence", evidence(remedy.evidence)},
                 {"preconditions", Json::array()}};
  for (const SettingChange& one : remedy.changes) object["changes"].push_back(change(one));
  for (const Precondition one : remedy.preconditions) object["preconditions"].push_back(name(one));
  if (remedy.memoryPerConnection) object["memory_per_connection_bytes"] = remedy.memoryPerConnection->value();
  if (remedy.connectionsThatFit) object["connections_that_fit"] = *remedy.connectionsThatFit;
  if (std::string text = letter(remedy); !text.empty()) object["letter"] = std::move(text);
  return object;
}

void addTransferMetrics(Json& side, const TransferMetrics& metrics, std::optional<double> transferTimeRatio) {
  if (metrics.empty() && !transferTimeRatio) return;
  Json object = {{"text", metricsText(metrics, transferTimeRatio)}};
  if (metrics.efficiencyRatio) object["efficiency_ratio"] = figure(*metrics.efficiencyRatio);
  if (metrics.bufferDelayRatio) object["buffer_delay_ratio"] = figure(*metrics.bufferDelayRatio);
  if (transferTimeRatio) object["transfer_time_ratio"] = figure(*transferTimeRatio);
  side["rfc6349"] = std::move(object);
}

void addAdvice(Json& side, const SideAdvice& advice) {
  side["advice"] = Json::array();
  for (const Remedy& one : advice.remedies) side["advice"].push_back(remedy(one));
  if (const auto& budget = advice.lossBudget) {
    side["loss_budget"] = {{"rate_bps", figure(budget->rate.value())},
                           {"rtt_us", figure(budget->rttSeconds * 1e6)},
                           {"loss_event_ratio", figure(budget->lossEventRatio)},
                           {"rfc8337_run_length_packets", figure(budget->runLengthRfc8337)},
                           {"text", sentence(*budget)}};
  }
  if (advice.target) side["target"] = target(*advice.target);
  if (advice.whyNot != WhyNoAdvice::none) {
    side["why_no_advice"] = {{"reason", name(advice.whyNot)}, {"text", sentence(advice.whyNot)}};
  }
}

}  // namespace tcpscope::json
