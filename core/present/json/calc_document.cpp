#include "core/present/json/calc_document.h"

#include "core/present/json/json_values.h"
#include "core/present/text/calculation_text.h"

namespace tcpscope {

namespace {

using json::JsonWriter;

void rttMember(JsonWriter& out, double seconds) {
  out.member("rtt_us", seconds * 1e6);
}

void lossyPathMembers(JsonWriter& out, const LossyPath& path) {
  out.member("mss_bytes", path.mss);
  rttMember(out, path.rttSeconds);
  out.member("loss_event_ratio", path.lossEventRatio);
}

void budgetMembers(JsonWriter& out, const LossBudget& budget) {
  out.member("loss_event_ratio", budget.lossEventRatio);
  out.member("packets_between_loss_events", budget.packetsBetween);
}

void mtuMembers(JsonWriter& out, const MtuFigures& figures) {
  out.member("mtu_bytes", figures.mtu);
  out.member("mss_bytes", figures.mss);
  out.member("mathis_rate_bps", figures.mathis);
  out.member("packets_per_s", figures.packetsPerSecond);
}

// What was stated or assumed.

void givenMembers(JsonWriter& out, const LossRates& rates) {
  lossyPathMembers(out, rates.path);
  out.member("constant", rates.constant);
}

void givenMembers(JsonWriter& out, const TimeoutRate& rate) {
  lossyPathMembers(out, rate.path);
  out.member("rto_us", rate.timeoutSeconds * 1e6);
}

void givenMembers(JsonWriter& out, const BudgetCalculation& calculation) {
  out.member("rate_bps", calculation.budget.rate);
  rttMember(out, calculation.budget.rttSeconds);
  out.member("mss_bytes", calculation.mss);
  out.member("constant", calculation.constant);
}

void givenMembers(JsonWriter& out, const MtuComparison& mtus) {
  out.member("mtu_bytes", mtus.proposed.mtu);
  out.member("current_mtu_bytes", mtus.current.mtu);
  if (mtus.rttSeconds) rttMember(out, *mtus.rttSeconds);
  out.member("loss_event_ratio", mtus.lossEventRatio);
  out.member("rate_bps", mtus.rate);
}

void givenMembers(JsonWriter& out, const WindowOfRate& window) {
  out.member("rate_bps", window.rate);
  rttMember(out, window.rttSeconds);
}

void givenMembers(JsonWriter& out, const RateOfWindow& window) {
  out.member("window_bytes", window.windowBytes);
  rttMember(out, window.rttSeconds);
}

// What follows.

void resultMembers(JsonWriter& out, const LossRates& rates) {
  out.member("mathis_rate_bps", rates.mathis);
  out.member("cubic_rate_bps", rates.cubic);
  out.member("highspeed_rate_bps", rates.highspeed);
}

void resultMembers(JsonWriter& out, const TimeoutRate& rate) {
  out.member("pftk_rate_bps", rate.pftk);
  out.member("mathis_rate_bps", rate.mathis);
}

void resultMembers(JsonWriter& out, const BudgetCalculation& calculation) {
  budgetMembers(out, calculation.budget);
  out.member("rfc8337_run_length_packets", calculation.budget.runLengthRfc8337);
  out.object("as_printed", [&] { budgetMembers(out, calculation.asPrinted); });
}

void resultMembers(JsonWriter& out, const MtuComparison& mtus) {
  out.member("growth", mtus.growth());
  out.object("proposed", [&] { mtuMembers(out, mtus.proposed); });
  out.object("current", [&] { mtuMembers(out, mtus.current); });
}

void resultMembers(JsonWriter& out, const WindowOfRate& window) {
  out.member("window_bytes", window.windowBytes);
  out.member("window_scale", window.windowScale);
  out.member("unscaled_rate_bps", window.rateUnscaled);
  out.member("buffer_bytes", window.buffer);
}

void resultMembers(JsonWriter& out, const RateOfWindow& window) {
  out.member("rate_bps", window.rate);
  out.member("window_scale", window.windowScale);
}

}  // namespace

std::string toJson(const Calculation& calculation) {
  const EquationText equation = equationOf(calculation);
  return json::line([&](JsonWriter& out) {
    const auto text = [&out](std::string_view one) { out.value(one); };
    json::schemaMembers(out, "tcpscope.calc", 1);
    out.member("calculation", name(calculation));
    out.member("text", sentence(calculation));
    out.object("given", [&] { std::visit([&](const auto& one) { givenMembers(out, one); }, calculation); });
    out.object("result", [&] { std::visit([&](const auto& one) { resultMembers(out, one); }, calculation); });
    out.member("equation", equation.equation);
    out.member("source", equation.source);
    out.array("assumptions", equation.assumptions, text);
    out.array("not_valid", equation.notValid, text);
  });
}

}  // namespace tcpscope
