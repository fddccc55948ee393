#include "core/present/json/json_values.h"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>

#include "core/base/escape.h"
#include "core/present/text/diagnosis_text.h"

namespace tcpscope::json {
namespace {

void metricValue(JsonWriter& out, const MetricRow& row, double value) {
  if (row.unit == MetricUnit::flag) return out.value(value != 0.0);
  if (row.unit == MetricUnit::name) return out.value(metricValueName(row.metric, value));
  out.value(value);
}

/// "network_ratio" and the like.
const std::string& shareKey(Limit limit) {
  static const auto kKeys = [] {
    std::array<std::string, kLimits.size()> keys;
    for (const Limit one : kLimits) keys[static_cast<std::size_t>(one)] = std::string(name(one)) + "_ratio";
    return keys;
  }();
  return kKeys[static_cast<std::size_t>(limit)];
}

void bound(JsonWriter& out, const Bound& bound) {
  out.object([&] {
    out.member("model", name(bound.model));
    out.member("rate_bps", bound.rate);
    out.member("applies", bound.applies);
    if (bound.whyNot != WhyNoBound::none) out.member("why_not", name(bound.whyNot));
    out.member("loss_event_ratio", bound.lossEventRatio);
    if (!bound.lossEventRatio95) return;
    out.member("loss_event_low_ratio", bound.lossEventRatio95->low);
    out.member("loss_event_high_ratio", bound.lossEventRatio95->high);
  });
}

void nextLimit(JsonWriter& out, const NextLimit& next) {
  out.object([&] {
    out.member("rate_bps", next.rate);
    out.member("method", name(next.method));
    out.member("low_bps", next.low);
    out.member("high_bps", next.high);
  });
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

void schemaMembers(JsonWriter& out, std::string_view schema, int version) {
  out.member("schema", schema);
  out.member("schema_version", version);
}

void evidence(JsonWriter& out, const std::vector<Evidence>& all) {
  out.array(all, [&out](const Evidence& one) {
    out.object([&] {
      out.member("metric", one.key);
      if (!std::isnan(one.value)) out.member("value", one.value);
      if (one.comparedWith && !std::isnan(*one.comparedWith)) out.member("compared_with", *one.comparedWith);
      if (!one.comparedWithKey.empty()) out.member("compared_with_metric", one.comparedWithKey);
    });
  });
}

void metrics(JsonWriter& out, const MetricSource& source) {
  out.object([&] {
    for (const MetricRow& row : metricCatalogue()) {
      const std::optional<double> value = row.read(source);
      if (!value || std::isnan(*value)) continue;
      out.key(row.key);
      metricValue(out, row, *value);
    }
  });
}

void options(JsonWriter& out, const PathOptions& negotiated) {
  out.object([&] {
    out.member("sack", negotiated.sack);
    out.member("timestamps", negotiated.timestamps);
    out.member("send_window_scale", negotiated.sendWindowScale);
    out.member("receive_window_scale", negotiated.receiveWindowScale);
    out.member("mss_bytes", negotiated.segmentSize);
    out.member("ecn", negotiated.ecn);
  });
}

void process(JsonWriter& out, const Owner& owner) {
  out.object([&] {
    out.member("pid", owner.pid);
    out.member("name", forPlainText(owner.processName));
    if (owner.userName) out.member("user", forPlainText(*owner.userName));
    if (owner.unitOrContainer) out.member("unit_or_container", forPlainText(*owner.unitOrContainer));
  });
}

void finding(JsonWriter& out, const Finding& finding, Side side) {
  out.object([&] {
    out.member("rule", name(finding.rule));
    out.member("severity", name(finding.severity));
    out.member("confidence_ratio", finding.confidenceRatio);
    out.member("text", sentence(finding, side));
    out.member("evidence", [&] { evidence(out, finding.evidence); });
  });
}

void verdict(JsonWriter& out, const Verdict& verdict, Side side) {
  out.object([&] {
    out.member("limit", name(verdict.limit));
    out.member("candidates", [&] { names(out, verdict.candidates); });
    out.member("cause", name(verdict.cause));
    out.member("confidence_ratio", verdict.confidenceRatio);
    out.member("text", sentence(verdict, side));
    out.member("evidence", [&] { evidence(out, verdict.evidence); });
  });
}

void limitsMembers(JsonWriter& out, const LimitShares& shares) {
  out.member("window_s", toSeconds(shares.observed()));
  const bool observed = shares.observed() > Nanoseconds(0);
  for (const Limit limit : kLimits) {
    // Where nothing was observed, all of the time is unknown: the shares still add up to 1.
    const double unobserved = limit == Limit::unknown ? 1.0 : 0.0;
    out.member(shareKey(limit), observed ? shares.ratio(limit) : unobserved);
  }
}

void sideMembers(JsonWriter& out, const SideDiagnosis& diagnosis) {
  out.member("goodput_bps", diagnosis.goodput);
  out.object("limits", [&] { limitsMembers(out, diagnosis.limits); });
  out.member("verdict", [&] { verdict(out, diagnosis.verdict, diagnosis.side); });
  if (diagnosis.verdict.next) out.member("next_limit", [&] { nextLimit(out, *diagnosis.verdict.next); });
  out.array("bounds", diagnosis.bounds, [&](const Bound& one) { bound(out, one); });
  out.array("findings", diagnosis.findings, [&](const Finding& one) { finding(out, one, diagnosis.side); });
}

}  // namespace tcpscope::json
