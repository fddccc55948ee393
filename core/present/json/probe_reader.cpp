// Reads what another program measured: it may run on another host, and may say anything.
#include <algorithm>
#include <cmath>

#include "core/present/json/document_reader.h"
#include "core/present/json/probe_document.h"

namespace tcpscope {

namespace {

using json::countIn;
using json::Json;
using json::numberIn;
using json::valueNamed;

std::optional<double> ratioIn(const Json& object, const char* name) {
  return numberIn(object, name, 0.0, 1.0);
}

std::optional<Nanoseconds> timeIn(const Json& object, const char* name) {
  // Longer than any run.
  constexpr double kMostMicroseconds = 3.6e9;
  const auto value = numberIn(object, name, 0.001, kMostMicroseconds);
  return value ? std::optional(Nanoseconds(std::llround(*value * 1e3))) : std::nullopt;
}

std::optional<ProbeRunFigures> runOf(const Json& value) {
  if (!value.is_object()) return std::nullopt;
  ProbeRunFigures run;
  run.plan.packetSize = Bytes(json::number(value, "packet_bytes"));
  run.plan.interval = timeIn(value, "interval_us").value_or(Nanoseconds(0));
  const auto packets = countIn(value, "planned_packets");
  const auto sent = countIn(value, "sent_packets");
  const auto lost = countIn(value, "lost_packets");
  if (!packets || *packets > UINT32_MAX || !sent || !lost) return std::nullopt;
  run.plan.packets = static_cast<std::uint32_t>(*packets);
  run.sentPackets = *sent;
  run.lostPackets = *lost;
  run.duplicates = json::number(value, "duplicate_packets");
  run.reordered = json::number(value, "reordered_packets");
  if (const auto rate = numberIn(value, "rate_bps", 1.0, 1e12)) run.rate = BitsPerSecond(*rate);
  run.losses.lostPackets = run.lostPackets;
  // It decides over sums and shares.
  const bool isPlausible =
      run.plan.isWithinLimits() && run.sentPackets <= run.plan.packets && run.lostPackets <= run.sentPackets;
  return isPlausible ? std::optional(std::move(run)) : std::nullopt;
}

}  // namespace

std::optional<ProbeAnalysis> parseProbe(std::string_view text) {
  if (text.size() > kMostProbeDocumentBytes) return std::nullopt;
  const auto document = json::parseDocument(text, "tcpscope.probe");
  if (!document) return std::nullopt;
  const auto verdict = valueNamed(kProbeVerdicts, json::plainText(*document, "verdict"));
  const Json& runs = json::arrayIn(*document, "runs");
  ProbeAnalysis analysis;
  if (!verdict || runs.size() != analysis.runs.size()) return std::nullopt;
  analysis.verdict = *verdict;
  for (std::size_t run = 0; run < analysis.runs.size(); ++run) {
    auto figures = runOf(runs[run]);
    if (!figures) return std::nullopt;
    analysis.runs[run] = std::move(*figures);
  }
  for (const Json& entry : json::arrayIn(*document, "faults")) {
    const auto fault = entry.is_string() ? valueNamed(kProbeFaults, entry.get<std::string>()) : std::nullopt;
    if (fault && std::ranges::find(analysis.faults, *fault) == analysis.faults.end()) analysis.faults.push_back(*fault);
  }
  analysis.rtt = timeIn(*document, "rtt_us");
  analysis.minRtt = timeIn(*document, "min_rtt_us");
  analysis.lossRatio = ratioIn(*document, "loss_ratio");
  const auto low = ratioIn(*document, "loss_low_ratio");
  const auto high = ratioIn(*document, "loss_high_ratio");
  if (low && high && *low <= *high) analysis.lossInterval95 = Interval{*low, *high};
  analysis.withinHundredthRtt = ratioIn(*document, "within_0_01_rtt_ratio");
  analysis.poissonWithinHundredthRtt = ratioIn(*document, "poisson_within_0_01_rtt_ratio");
  analysis.withinRtt = ratioIn(*document, "within_1_rtt_ratio");
  analysis.poissonWithinRtt = ratioIn(*document, "poisson_within_1_rtt_ratio");
  analysis.clusteredPValue = ratioIn(*document, "clustered_p_value");
  analysis.unevenPValue = ratioIn(*document, "uneven_p_value");
  for (const Json& interval : json::arrayIn(*document, "intervals_rtt")) {
    if (!interval.is_number()) continue;
    const auto value = interval.get<double>();
    if (value >= 0.0 && value <= 1e12) analysis.intervalsRtt.push_back(value);
  }
  return analysis;
}

}  // namespace tcpscope
