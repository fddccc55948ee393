#include "core/present/json/probe_document.h"

#include "core/base/escape.h"
#include "core/present/json/json_values.h"
#include "core/present/text/probe_text.h"

namespace tcpscope {

namespace {

using json::JsonWriter;

void microsecondsMember(JsonWriter& out, std::string_view key, std::optional<Nanoseconds> time) {
  if (time) out.member(key, toSeconds(*time) * 1e6);
}

void runValue(JsonWriter& out, const ProbeRunFigures& run) {
  out.object([&] {
    out.member("packet_bytes", run.plan.packetSize);
    out.member("interval_us", toSeconds(run.plan.interval) * 1e6);
    out.member("planned_packets", run.plan.packets);
    out.member("sent_packets", run.sentPackets);
    out.member("lost_packets", run.lostPackets);
    out.member("duplicate_packets", run.duplicates);
    out.member("reordered_packets", run.reordered);
    out.member("rate_bps", run.rate);
    if (run.losses.rtt) out.member("loss_events", run.losses.events.size());
    if (const auto& test = run.losses.randomDrop) {
      out.member("clustered_p_value", test->clusteredPValue);
      out.member("random_drop_within_1_rtt_ratio", test->withinRtt.expectedRatio);
    }
    if (const auto& model = run.losses.model) out.member("burst_packets", model->burstPackets.value);
  });
}

/// Of all that was sent.
void resultMembers(JsonWriter& out, const ProbeAnalysis& analysis) {
  out.member("verdict", name(analysis.verdict));
  out.member("text", sentence(analysis));
  out.key("faults");
  json::names(out, analysis.faults);
  microsecondsMember(out, "rtt_us", analysis.rtt);
  microsecondsMember(out, "min_rtt_us", analysis.minRtt);
  out.member("loss_ratio", analysis.lossRatio);
  if (analysis.lossInterval95) {
    out.member("loss_low_ratio", analysis.lossInterval95->low);
    out.member("loss_high_ratio", analysis.lossInterval95->high);
  }
  out.member("within_0_01_rtt_ratio", analysis.withinHundredthRtt);
  out.member("poisson_within_0_01_rtt_ratio", analysis.poissonWithinHundredthRtt);
  out.member("within_1_rtt_ratio", analysis.withinRtt);
  out.member("poisson_within_1_rtt_ratio", analysis.poissonWithinRtt);
  out.member("clustered_p_value", analysis.clusteredPValue);
  out.member("uneven_p_value", analysis.unevenPValue);
}

void pairValue(JsonWriter& out, const ProbeMesh& mesh, const ProbeMeshResult& result) {
  out.object([&] {
    out.member("from", forPlainText(nameIn(mesh, result.pair.from)));
    out.member("to", forPlainText(nameIn(mesh, result.pair.to)));
    out.member("time", json::timeText(result.start));
    out.member("measured", result.measured.has_value());
    if (!result.measured) return out.member("problem", forPlainText(result.measured.error()));
    resultMembers(out, *result.measured);
    std::uint64_t sent = 0;
    std::uint64_t lost = 0;
    for (const ProbeRunFigures& run : result.measured->runs) {
      sent += run.sentPackets;
      lost += run.lostPackets;
    }
    out.member("sent_packets", sent);
    out.member("lost_packets", lost);
  });
}

}  // namespace

std::string toJson(const ProbeAnalysis& analysis, const UntrustedText& host, WallTime start) {
  return json::line([&](JsonWriter& out) {
    json::schemaMembers(out, "tcpscope.probe", 1);
    out.member("time", json::timeText(start));
    out.member("host", forPlainText(host));
    resultMembers(out, analysis);
    out.array("runs", analysis.runs, [&](const ProbeRunFigures& run) { runValue(out, run); });
    out.array("intervals_rtt", analysis.intervalsRtt, [&](double interval) { out.value(interval); });
  });
}

std::string toJson(const ProbeMesh& mesh, WallTime start) {
  return json::line([&](JsonWriter& out) {
    json::schemaMembers(out, "tcpscope.probe_mesh", 1);
    out.member("time", json::timeText(start));
    out.array("hosts", mesh.hosts, [&](const ProbeMeshHost& host) {
      out.object([&] {
        out.member("host", forPlainText(host.name));
        out.member("sends", host.sends);
      });
    });
    out.array("pairs", mesh.results, [&](const ProbeMeshResult& result) { pairValue(out, mesh, result); });
  });
}

}  // namespace tcpscope
