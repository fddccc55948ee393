#include "core/present/report/report_model.h"

#include <algorithm>

#include "core/base/escape.h"
#include "core/host/sysctl_values.h"
#include "core/present/text/flow_text.h"
#include "core/session/capture/captured_packets.h"
#include "core/session/change_proof.h"
#include "core/session/connection_advice.h"
#include "core/session/four_tuple.h"

namespace tcpscope {

namespace {

constexpr std::size_t kMostChanges = 8;

std::vector<MeasuredChange> changesOf(const ConnectionDetail& detail) {
  const std::vector<ChangeMark>& marks = detail.changeMarks;
  const auto timeOf = [&marks](std::size_t index) {
    return index < marks.size() ? std::optional(marks[index].time) : std::nullopt;
  };
  std::vector<MeasuredChange> changes;
  for (std::size_t index = 0; index < std::min(marks.size(), kMostChanges); ++index) {
    const auto previous = index > 0 ? timeOf(index - 1) : std::nullopt;
    changes.push_back(
        {marks[index], ChangeProof::compareAround(detail, previous, marks[index].time, timeOf(index + 1))});
  }
  return changes;
}

/// Bytes that it moved in the direction that carried more.
double weightOf(const ConnectionDetail& detail) {
  // Of a short transfer no rate is known.
  if (detail.packets && detail.packets->live == 0) {
    const auto& directions = detail.packets->analysis.flow.directions;
    return static_cast<double>(std::max(directions[0].streamBytes(), directions[1].streamBytes()).value());
  }
  const ConnectionDiagnosis& diagnosis = detail.diagnosis;
  const auto& side = diagnosis.bulk == Side::sending ? diagnosis.sending : diagnosis.receiving;
  if (!side || !side->goodput) return 0.0;
  return side->goodput->value() * std::max(toSeconds(side->limits.observed()), 1e-3);
}

/// A host of 200 containers is not described 200 times.
void keepPlacesOf(ReportModel& report) {
  const auto isReported = [&report](const Place& place) {
    const bool hasConnection =
        std::ranges::any_of(report.connections, [&](const auto& one) { return one.detail->row.id.place == place.id; });
    return hasConnection ||
           std::ranges::any_of(report.listeners, [&](const ListenerRow& one) { return one.id.place == place.id; });
  };
  if (std::ranges::none_of(report.places, isReported)) return;
  std::erase_if(report.places, [&](const Place& place) { return !isReported(place); });
}

}  // namespace

void orderForReport(std::span<std::shared_ptr<const ConnectionDetail>> details) {
  std::stable_sort(details.begin(), details.end(),
                   [](const auto& a, const auto& b) { return weightOf(*a) > weightOf(*b); });
  // What comes later is only counted.
  for (std::size_t index = 0; index < std::min(details.size(), kMostReported); ++index) {
    auto& end = details[index];
    const auto other =
        std::find_if(details.begin() + static_cast<std::ptrdiff_t>(index) + 1, details.end(),
                     [&](const auto& one) { return FourTuple::of(end->socket).isPeerOf(FourTuple::of(one->socket)); });
    if (other == details.end()) continue;
    const auto confidence = [](const auto& one) { return one->diagnosis.verdict.confidenceRatio; };
    if (confidence(*other) > confidence(end)) std::swap(end, *other);
  }
}

ReportModel makeReport(const ReportInput& input) {
  const SessionSnapshot& snapshot = *input.snapshot;
  ReportModel report;
  report.time = input.time;
  report.programVersion = input.programVersion;
  report.madeAt = input.madeAt;
  report.recording = input.recording;
  report.clock = snapshot.clock;
  report.places = snapshot.places;
  report.gaps = snapshot.gaps;
  report.captureGaps = input.captureGaps;
  report.checkup = input.checkup;
  report.cover = input.cover;
  for (const ListenerRow& listener : snapshot.listeners) {
    if (!listener.findings.empty()) report.listeners.push_back(listener);
  }
  auto details = input.details;
  const auto firstWithout = [&details](auto isReported) {
    return std::stable_partition(details.begin(), details.end(), [&](const auto& one) { return isReported(*one); });
  };
  auto firstIdle = firstWithout([](const ConnectionDetail& one) { return isActive(one.diagnosis); });
  // Where all were idle most of the time, what they carried is better than nothing.
  if (firstIdle == details.begin()) firstIdle = firstWithout([](const auto& one) { return weightOf(one) > 0.0; });
  orderForReport(std::span(details.begin(), firstIdle));
  const auto active = static_cast<std::size_t>(firstIdle - details.begin());
  // A single idle connection was asked for by name.
  const std::size_t shown = details.size() == 1 ? 1 : std::min(active, kMostReported);
  report.activeLeftOut = input.withoutDetail + (active > shown ? active - shown : 0);
  report.idleLeftOut = details.size() - std::max(active, shown);
  for (std::size_t index = 0; index < shown; ++index) {
    const auto& detail = details[index];
    report.connections.push_back(
        {detail, adviceFor(*detail, snapshot.settings(detail->row.id.place), input.goal), changesOf(*detail)});
    if (detail->packets) report.connections.back().negotiatedByPackets = negotiated(detail->packets->analysis.flow);
  }
  keepPlacesOf(report);
  return report;
}

std::vector<std::pair<std::string, std::string>> settingRows(const Place& place) {
  constexpr std::size_t kMost = 256;
  std::vector<std::pair<std::string, std::string>> settings;
  if (!place.settings) return settings;
  for (const auto& [key, value] : place.settings->all()) {
    if (settings.size() == kMost) break;
    settings.emplace_back(forPlainText(UntrustedText(key)), forPlainText(UntrustedText(value)));
  }
  return settings;
}

}  // namespace tcpscope
