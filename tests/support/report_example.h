// A report with everything that a report can hold, with one text in every place that holds untrusted text.
#pragma once

#include "core/host/sysctl_values.h"
#include "core/present/report/report_pair.h"
#include "tests/support/observation_builder.h"

namespace tcpscope::test {

inline SideDiagnosis receiverLimitedSide() {
  SideDiagnosis side;
  side.side = Side::sending;
  side.goodput = BitsPerSecond(12e6);
  side.limits.add(Limit::receiver, std::chrono::milliseconds(3000));
  side.limits.add(Limit::application, std::chrono::milliseconds(1000));
  side.verdict.limit = Limit::receiver;
  side.verdict.cause = Cause::bufferLimit;
  side.verdict.confidenceRatio = 0.9;
  side.verdict.goodput = BitsPerSecond(12e6);
  side.verdict.next = NextLimit{BitsPerSecond(94e6), {}, {}, {}};
  side.verdict.evidence = {{"rwnd_limited_ratio", 0.75, 0.5, ""}};
  side.bounds = {{BoundModel::receiverWindow, BitsPerSecond(12.5e6), true, WhyNoBound::none}};
  side.findings = {{RuleId::receiverWindowTooSmall, FindingSeverity::problem, 0.9, side.verdict.evidence}};
  return side;
}

/// Samples 100 ms apart, as exact means and intervals need them.
inline constexpr std::chrono::milliseconds kDense{100};
/// Samples 500 ms apart: a report that takes a fraction of the time, with less exact figures.
inline constexpr std::chrono::milliseconds kSparse{500};

/// Half a minute, at another rate from the middle on, at which a setting changed.
inline ConnectionHistory historyWithChange(BitsPerSecond before = BitsPerSecond(12e6),
                                           BitsPerSecond since = BitsPerSecond(24e6),
                                           std::chrono::milliseconds spacing = kDense) {
  const auto steps = std::chrono::seconds(30) / spacing;
  const double seconds = std::chrono::duration<double>(spacing).count();
  ConnectionHistory history;
  double acked = 0.0;
  for (int step = 0; step <= steps; ++step) {
    const double rate = (step < steps / 2 ? before : since).value();
    // Acknowledgments come a little early or late.
    acked += rate / 8.0 * seconds * (1.0 + 0.01 * (step * 5 % 7 - 3));
    std::array<double, kMetricCount> values;
    values.fill(std::numeric_limits<double>::quiet_NaN());
    const auto set = [&values](Metric metric, double value) { values[static_cast<std::size_t>(metric)] = value; };
    set(Metric::bytesAcked, acked);
    set(Metric::sendGoodput, rate);
    set(Metric::rtt, 20'000.0 + 100.0 * (step % 7));
    set(Metric::minRtt, 20'000.0);
    set(Metric::sndWnd, 65'536.0);
    set(Metric::congestionWindowBytes, 144'800.0);
    history.append(Moment::fromNanoseconds(1'000'000'000LL) + step * spacing, values);
  }
  return history;
}

/// `written` stands for names of hosts, programs, users, units, interfaces, and for values of settings.
inline ReportInput reportInput(const std::string& written, std::chrono::milliseconds spacing = kDense) {
  const UntrustedText text(written);
  auto detail = std::make_shared<ConnectionDetail>();
  detail->socket = ObservationBuilder().build();
  detail->row.id = detail->socket.id;
  detail->row.local = detail->socket.local;
  detail->row.remote = detail->socket.remote;
  detail->owner = std::make_shared<Owner>(Owner{4711, text, text, text});
  detail->diagnosis.sending = receiverLimitedSide();
  detail->diagnosis.verdict = detail->diagnosis.sending->verdict;
  detail->history = historyWithChange(BitsPerSecond(12e6), BitsPerSecond(24e6), spacing);
  detail->limits = LimitTimeline(100);
  LimitInterval interval;
  interval.from = *detail->history.firstTime();
  interval.to = *detail->history.lastTime();
  interval.sending.add(Limit::receiver, interval.to - interval.from);
  detail->limits.append(interval);
  detail->changeMarks = {{Moment::fromNanoseconds(16'000'000'000LL), std::nullopt, text, text, text}};
  detail->events = {{*detail->history.lastTime(), HistoryEventKind::retransmission, 3}};

  auto snapshot = std::make_shared<SessionSnapshot>();
  snapshot->places = {{PlaceId{0}, text, "0f0e0d", "4026531840", text, {}, text}};
  snapshot->gaps = {{PlaceId{0}, GapKind::receiveBufferOverflow, 3}};
  ListenerRow listener;
  listener.id = {PlaceId{0}, 9};
  listener.local = {IpAddress::parse("2001:db8:5::7").value(), 443};
  listener.owner = detail->owner;
  listener.findings = {{RuleId::acceptQueueOverflow, FindingSeverity::warning, 0.8, {}}};
  snapshot->listeners = {listener};

  ReportInput input{snapshot, {detail}, WallTime::fromNanoseconds(1'767'323'045'000'006'789), "0.1.0", {}};
  RecordingFacts recording;
  recording.note = text;
  recording.program = text;
  recording.length = std::chrono::seconds(30);
  input.recording = recording;
  CheckRow row;
  row.id = CheckId::queueDiscipline;
  row.layer = CheckLayer::dataLink;
  row.status = CheckStatus::warn;
  row.object = text;
  row.names = {text};
  input.checkup = std::vector<CheckRow>{row};
  return input;
}

/// Two of them, the second five times as fast and with another receive buffer; `written` is a setting of the second
/// host alone.
inline ReportPair reportPair(const std::string& written, std::chrono::milliseconds spacing = kDense) {
  ReportInput first = reportInput(written, spacing);
  ReportInput second = first;
  const auto steady = [&first, spacing](BitsPerSecond rate) {
    auto detail = std::make_shared<ConnectionDetail>(*first.details.front());
    detail->history = historyWithChange(rate, rate, spacing);
    return detail;
  };
  const auto faster = steady(BitsPerSecond(60e6));
  faster->diagnosis.verdict.limit = Limit::network;
  second.details = {faster};
  first.details = {steady(BitsPerSecond(12e6))};
  auto reported = std::make_shared<SysctlValues>();
  reported->set("net.ipv4.tcp_sack", "1");
  reported->set("net.ipv4.tcp_rmem", "4096 16384 131072");
  const auto withSettings = [](const ReportInput& input, std::shared_ptr<const SysctlValues> settings) {
    auto snapshot = std::make_shared<SessionSnapshot>(*input.snapshot);
    snapshot->places.front().settings = std::move(settings);
    return snapshot;
  };
  first.snapshot = withSettings(first, reported);
  auto others = std::make_shared<SysctlValues>(*reported);
  others->set("net.ipv4.tcp_rmem", "4096 131072 6291456");
  others->set("net.ipv4.tcp_congestion_control", written);
  second.snapshot = withSettings(second, others);
  return pairOf(makeReport(first), makeReport(second));
}

}  // namespace tcpscope::test
