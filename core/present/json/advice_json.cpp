#include "core/present/json/advice_json.h"

#include "core/present/json/json_values.h"
#include "core/present/text/remedy_text.h"
#include "core/present/text/target_text.h"

namespace tcpscope::json {

namespace {

constexpr double kMicrosecondsPerSecond = 1e6;

void settingChange(JsonWriter& out, const SettingChange& change) {
  out.object([&] {
    out.member("kind", name(change.kind));
    out.member("key", change.key);
    out.member("now", change.now);
    out.member("wanted", change.wanted);
    out.member("command", commandLine(change));
  });
}

void gain(JsonWriter& out, const ExpectedGain& gain) {
  out.object([&] {
    out.member("why", name(gain.why));
    out.member("text", sentence(gain));
    out.member("from_bps", gain.from);
    out.member("to_bps", gain.to);
    out.member("at_most_bps", gain.atMost);
    out.member("saves_rtts", gain.savesRtts);
    if (gain.savesSeconds) out.member("saves_us", *gain.savesSeconds * kMicrosecondsPerSecond);
    if (gain.waitsLessSeconds) out.member("waits_less_us", *gain.waitsLessSeconds * kMicrosecondsPerSecond);
  });
}

void target(JsonWriter& out, const TargetCheck& target) {
  out.object([&] {
    out.member("rate_bps", target.rate);
    out.member("rtt_us", target.rttSeconds * kMicrosecondsPerSecond);
    out.member("outcome", name(target.outcome()));
    out.array("parts", target.parts, [&](const TargetPartCheck& check) {
      out.object([&] {
        out.member("part", name(check.part));
        out.member("outcome", name(check.outcome));
        out.member("needs", check.needs);
        out.member("has", check.has);
      });
    });
    out.member("text", sentence(target));
  });
}

void lossBudget(JsonWriter& out, const LossBudget& budget) {
  out.object([&] {
    out.member("rate_bps", budget.rate);
    out.member("rtt_us", budget.rttSeconds * kMicrosecondsPerSecond);
    out.member("loss_event_ratio", budget.lossEventRatio);
    out.member("rfc8337_run_length_packets", budget.runLengthRfc8337);
    out.member("text", sentence(budget));
  });
}

}  // namespace

void remedy(JsonWriter& out, const Remedy& remedy) {
  out.object([&] {
    out.member("remedy", name(remedy.id));
    out.member("place", name(remedy.place));
    out.member("reach", name(remedy.reach));
    out.member("title", title(remedy.id));
    out.member("text", sentence(remedy));
    out.array("changes", remedy.changes, [&](const SettingChange& one) { settingChange(out, one); });
    out.member("gain", [&] { gain(out, remedy.gain); });
    out.member("confidence_ratio", remedy.confidenceRatio);
    out.member("evidence", [&] { evidence(out, remedy.evidence); });
    out.member("preconditions", [&] { names(out, remedy.preconditions); });
    out.member("memory_per_connection_bytes", remedy.memoryPerConnection);
    out.member("connections_that_fit", remedy.connectionsThatFit);
    if (const std::string text = letter(remedy); !text.empty()) out.member("letter", text);
  });
}

void transferMetricsMembers(JsonWriter& out, const TransferMetrics& metrics, std::optional<double> transferTimeRatio) {
  if (metrics.empty() && !transferTimeRatio) return;
  out.object("rfc6349", [&] {
    out.member("text", metricsText(metrics, transferTimeRatio));
    out.member("efficiency_ratio", metrics.efficiencyRatio);
    out.member("buffer_delay_ratio", metrics.bufferDelayRatio);
    out.member("transfer_time_ratio", transferTimeRatio);
  });
}

void adviceMembers(JsonWriter& out, const SideAdvice& advice) {
  out.array("advice", advice.remedies, [&](const Remedy& one) { remedy(out, one); });
  if (advice.lossBudget) out.member("loss_budget", [&] { lossBudget(out, *advice.lossBudget); });
  if (advice.target) out.member("target", [&] { target(out, *advice.target); });
  if (advice.whyNot == WhyNoAdvice::none) return;
  out.object("why_no_advice", [&] {
    out.member("reason", name(advice.whyNot));
    out.member("text", sentence(advice.whyNot));
  });
}

}  // namespace tcpscope::json
