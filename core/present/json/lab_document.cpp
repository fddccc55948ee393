#include "core/present/json/lab_document.h"

#include <algorithm>

#include "core/present/json/connection_json.h"

namespace tcpscope::lab {

namespace {

using json::JsonWriter;

constexpr int kLabSchemaVersion = 1;

void texts(JsonWriter& out, std::string_view key, const std::vector<std::string>& all) {
  out.array(key, all, [&out](const std::string& one) { out.value(one); });
}

void truthMember(JsonWriter& out, const std::optional<Truth>& truth) {
  out.key("truth");
  if (!truth) return out.value(nullptr);
  out.object([&] {
    out.member("traffic", truth->traffic);
    out.member("limit", name(truth->limit));
    out.member("cause", name(truth->cause));
    texts(out, "findings", truth->findings);
    texts(out, "forbidden_findings", truth->forbiddenFindings);
    if (truth->slowPart) out.member("slow_part", name(*truth->slowPart));
  });
}

void trafficJson(JsonWriter& out, const TrafficFigures& traffic) {
  out.object([&] {
    out.member("name", traffic.name);
    out.member("connections", traffic.connections);
    out.member("goodput_bps", traffic.goodput);
    out.member("fair_share_bps", traffic.fairShare);
    if (traffic.completionSeconds.empty()) return;
    out.array("completion_s", traffic.completionSeconds, [&](double seconds) { out.value(seconds); });
  });
}

void hostJson(JsonWriter& out, const HostFigures& host) {
  out.object([&] {
    out.member("name", host.name);
    out.member("cpu_ratio", host.cpuRatio);
    out.member("cpu_ns_per_byte", host.cpuNanosecondsPerByte);
    out.member("socket_memory_peak_bytes", host.socketMemoryPeak);
  });
}

void latenessMembers(JsonWriter& out, const PathLateness& lateness) {
  out.member("lateness_p999_us", toSeconds(lateness.p999) * 1e6);
  out.member("lateness_max_us", toSeconds(lateness.worst) * 1e6);
}

void resultJson(JsonWriter& out, const LabFigures& figures) {
  out.object([&] {
    out.member("goodput_bps", figures.goodput);
    out.member("utilization_ratio", figures.utilizationRatio);
    out.member("jain_fairness_ratio", figures.jainFairnessRatio);
    out.member("completion_s", figures.completionSeconds);
    out.member("drops", figures.drops);
    out.member("marks", figures.marks);
    out.member("queue_peak_bytes", figures.queuePeak);
    latenessMembers(out, figures.lateness);
    out.array("traffic", figures.traffic, [&](const TrafficFigures& one) { trafficJson(out, one); });
    out.array("hosts", figures.hosts, [&](const HostFigures& one) { hostJson(out, one); });
  });
}

void answerJson(JsonWriter& out, const Answer& answer, bool agrees) {
  out.object([&] {
    out.member("limit", name(answer.limit));
    out.member("cause", name(answer.cause));
    out.member("confidence_ratio", answer.confidenceRatio);
    out.member("agrees", agrees);
  });
}

void agreementJson(JsonWriter& out, const Agreement& agreement) {
  out.object([&] {
    out.member("agrees", agreement.agrees());
    out.member("sender", [&] { answerJson(out, agreement.sender, agreement.senderAgrees); });
    out.member("receiver", [&] { answerJson(out, agreement.receiver, agreement.receiverAgrees); });
    texts(out, "missing_findings", agreement.missingFindings);
    texts(out, "forbidden_findings", agreement.forbiddenFindings);
  });
}

void summaryJson(JsonWriter& out, const SampleSummary& summary) {
  out.object([&] {
    out.member("n", summary.count);
    out.member("mean", summary.mean);
    out.member("median", summary.median);
    out.member("standard_deviation", summary.standardDeviation);
    if (!summary.meanInterval95) return;
    out.member("mean_95_low", summary.meanInterval95->low);
    out.member("mean_95_high", summary.meanInterval95->high);
  });
}

void cellJson(JsonWriter& out, const LabCell& cell) {
  out.object([&] {
    out.object("settings", [&] {
      for (const LabSetting& setting : cell.settings) out.member(setting.key, setting.value);
    });
    out.member("runs", cell.runs);
    if (cell.lateRuns > 0) {
      out.object("left_out", [&] {
        out.member("runs", cell.lateRuns);
        latenessMembers(out, cell.lateness);
      });
    }
    out.object("figures", [&] {
      for (const auto& [key, summary] : cell.figures) {
        out.key(key);
        summaryJson(out, summary);
      }
    });
  });
}

void runMembers(JsonWriter& out, const LabRunDocument& run) {
  json::schemaMembers(out, "tcpscope.lab", kLabSchemaVersion);
  out.member("time", json::timeText(run.time));
  out.member("scenario", run.scenario);
  out.member("title", run.title);
  truthMember(out, run.truth);
  out.object("path", [&] {
    for (const auto& [key, value] : run.path) out.member(key, value);
  });
  if (run.figures) out.member("result", [&] { resultJson(out, *run.figures); });
  if (const std::optional<bool> agrees = run.agrees()) {
    out.member("agrees", *agrees);
  } else {
    out.member("agrees", nullptr);
  }
  out.member("skipped", run.skipped);
  out.array("judgements", run.agreements, [&](const Agreement& one) { agreementJson(out, one); });
  if (!run.cells.empty()) out.array("cells", run.cells, [&](const LabCell& one) { cellJson(out, one); });
  texts(out, "notes", run.notes);
  out.array("places", run.places, [&](const Place& one) { json::place(out, one); });
  out.array("connections", run.connections, [&](const auto& detail) { json::connection(out, *detail); });
}

}  // namespace

std::optional<bool> LabRunDocument::agrees() const {
  if (!truth || agreements.empty() || skipped) return std::nullopt;
  return std::all_of(agreements.begin(), agreements.end(), [](const Agreement& one) { return one.agrees(); });
}

std::string toJson(std::span<const LabListEntry> scenarios) {
  return json::line([&](JsonWriter& out) {
    json::schemaMembers(out, "tcpscope.lab", kLabSchemaVersion);
    out.array("scenarios", scenarios, [&](const LabListEntry& one) {
      out.object([&] {
        out.member("name", one.name);
        out.member("title", one.title);
        truthMember(out, one.truth);
      });
    });
  });
}

std::string toJson(const LabRunDocument& run) {
  return json::line([&](JsonWriter& out) { runMembers(out, run); });
}

}  // namespace tcpscope::lab
