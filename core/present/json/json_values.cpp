#include "core/present/json/json_values.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "core/base/escape.h"
#include "core/present/text/diagnosis_text.h"

namespace tcpscope::json {
namespace {

/// Whole numbers up to here are exact in a double, and in every reader of JSON.
constexpr double kLargestWhole = 9007199254740992.0;

Json metricValue(const MetricRow& row, double value) {
  if (row.unit == MetricUnit::flag) return value != 0.0;
  if (row.unit == MetricUnit::name) return std::string(metricValueName(row.metric, value));
  return figure(value);
}

Json bound(const Bound& bound) {
  Json object = {{"model", name(bound.model)}};
  if (bound.rate) object["rate_bps"] = figure(bound.rate->value());
  object["applies"] = bound.applies;
  if (bound.whyNot != WhyNoBound::none) object["why_not"] = name(bound.whyNot);
  if (bound.lossEventRatio) object["loss_event_ratio"] = figure(*bound.lossEventRatio);
  if (bound.lossEventRatio95) {
    object["loss_event_low_ratio"] = figure(bound.lossEventRatio95->low);
    object["loss_event_high_ratio"] = figure(bound.lossEventRatio95->high);
  }
  return object;
}

}  // namespace

std::string timeText(WallTime time) {
  using namespace std::chrono;
  const sys_time<nanoseconds> point{nanoseconds(time.nanoseconds())};
  const auto day = floor<days>(point);
  const year_month_day date(day);
  const hh_mm_ss<std::chrono::microseconds> clock(floor<std::chrono::microseconds>(point - day));
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

Json figure(double value) {
  if (std::isnan(value)) return nullptr;
  if (std::isinf(value)) return "unlimited";
  if (std::abs(value) <= kLargestWhole && value == std::floor(value)) return static_cast<std::int64_t>(value);
  return value;
}

Json evidence(const std::vector<Evidence>& all) {
  Json list = Json::array();
  for (const Evidence& one : all) {
    Json entry = {{"metric", one.key}};
    if (!std::isnan(one.value)) entry["value"] = figure(one.value);
    if (one.comparedWith && !std::isnan(*one.comparedWith)) entry["compared_with"] = figure(*one.comparedWith);
    if (!one.comparedWithKey.empty()) entry["compared_with_metric"] = one.comparedWithKey;
    list.push_back(std::move(entry));
  }
  return list;
}

Json metrics(const MetricSource& source) {
  Json object = Json::object();
  for (const MetricRow& row : metricCatalogue()) {
    const std::optional<double> value = row.read(source);
    if (value && !std::isnan(*value)) object.emplace(row.key, metricValue(row, *value));
  }
  return object;
}

Json options(const PathOptions& negotiated) {
  Json object = {{"sack", negotiated.sack}, {"timestamps", negotiated.timestamps}};
  if (negotiated.sendWindowScale) object["send_window_scale"] = *negotiated.sendWindowScale;
  if (negotiated.receiveWindowScale) object["receive_window_scale"] = *negotiated.receiveWindowScale;
  if (negotiated.segmentSize) object["mss_bytes"] = negotiated.segmentSize->value();
  object["ecn"] = negotiated.ecn;
  return object;
}

Json process(const Owner& owner) {
  Json object = {{"pid", owner.pid}, {"name", forPlainText(owner.processName)}};
  if (owner.userName) object["user"] = forPlainText(*owner.userName);
  if (owner.unitOrContainer) object["unit_or_container"] = forPlainText(*owner.unitOrContainer);
  return object;
}

Json finding(const Finding& finding, Side side) {
  return {{"rule", name(finding.rule)},
          {"severity", name(finding.severity)},
          {"confidence_ratio", finding.confidenceRatio},
          {"text", sentence(finding, side)},
          {"evidence", evidence(finding.evidence)}};
}

Json verdict(const Verdict& verdict, Side side) {
  Json candidates = Json::array();
  for (const Limit candidate : verdict.candidates) candidates.push_back(name(candidate));
  Json object = {{"limit", name(verdict.limit)},
                 {"candidates", std::move(candidates)},
                 {"cause", name(verdict.cause)},
                 {"confidence_ratio", verdict.confidenceRatio}};
  object["text"] = sentence(verdict, side);
  object["evidence"] = evidence(verdict.evidence);
  return object;
}

Json nextLimit(const NextLimit& next) {
  Json object = {{"rate_bps", figure(next.rate.value())}, {"method", name(next.method)}};
  if (next.low) object["low_bps"] = figure(next.low->value());
  if (next.high) object["high_bps"] = figure(next.high->value());
  return object;
}

Json limits(const LimitShares& shares) {
  Json object = {{"window_s", toSeconds(shares.observed())}};
  const bool observed = shares.observed() > Nanoseconds(0);
  for (const Limit limit : kLimits) {
    // Where nothing was observed, all of the time is unknown: the shares still add up to 1.
    const double unobserved = limit == Limit::unknown ? 1.0 : 0.0;
    object[std::string(name(limit)) + "_ratio"] = observed ? shares.ratio(limit) : unobserved;
  }
  return object;
}

Json side(const SideDiagnosis& diagnosis) {
  Json object = Json::object();
  if (diagnosis.goodput) object["goodput_bps"] = figure(diagnosis.goodput->value());
  object["limits"] = limits(diagnosis.limits);
  object["verdict"] = verdict(diagnosis.verdict, diagnosis.side);
  if (diagnosis.verdict.next) object["next_limit"] = nextLimit(*diagnosis.verdict.next);
  object["bounds"] = Json::array();
  for (const Bound& one : diagnosis.bounds) object["bounds"].push_back(bound(one));
  object["findings"] = Json::array();
  for (const Finding& one : diagnosis.findings) object["findings"].push_back(finding(one, diagnosis.side));
  return object;
}

std::string compact(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tcpscope::json
