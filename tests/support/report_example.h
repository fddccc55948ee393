// A report with everything that a report can hold, in which one text stands wherever somebody else wrote it.
#pragma once

#include "core/report/report_model.h"
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
  side.verdict.possible = BitsPerSecond(94e6);
  side.verdict.evidence = {{"rwnd_limited_ratio", 0.75, 0.5, ""}};
  side.bounds = {{BoundModel::receiverWindow, BitsPerSecond(12.5e6), true, WhyNoBound::none}};
  side.findings = {{RuleId::receiverWindowTooSmall, FindingSeverity::problem, 0.9, side.verdict.evidence}};
  return side;
}

/// Ten seconds at 12 Mbit/s, twice as fast from the fifth on, at which a setting changed.
inline ConnectionHistory historyWithChange() {
  ConnectionHistory history;
  double acked = 0.0;
  for (int step = 0; step <= 300; ++step) {
    const double rate = step < 150 ? 12e6 : 24e6;
    acked += rate / 8.0 * 0.1;
    std::array<double, kMetricCount> values;
    values.fill(std::numeric_limits<double>::quiet_NaN());
    const auto set = [&values](Metric metric, double value) { values[static_cast<std::size_t>(metric)] = value; };
    set(Metric::bytesAcked, acked);
    set(Metric::sendGoodput, rate);
    set(Metric::rtt, 20'000.0 + 100.0 * (step % 7));
    set(Metric::minRtt, 20'000.0);
    set(Metric::sndWnd, 65'536.0);
    set(Metric::congestionWindowBytes, 144'800.0);
    history.append(Moment::fromNanoseconds(1'000'000'000LL + step * 100'000'000LL), values);
  }
  return history;
}

/// `written` stands for names of hosts, programs, users, units, interfaces, and for values of settings.
inline ReportInput reportInput(const std::string& written) {
  const UntrustedText text(written);
  auto detail = std::make_shared<ConnectionDetail>();
  detail->socket = ObservationBuilder().build();
  detail->row.id = detail->socket.id;
  detail->row.local = detail->socket.local;
  detail->row.remote = detail->socket.remote;
  detail->owner = std::make_shared<Owner>(Owner{4711, text, text, text});
  detail->diagnosis.sending = receiverLimitedSide();
  detail->diagnosis.verdict = detail->diagnosis.sending->verdict;
  detail->history = historyWithChange();
  detail->limits = LimitTimeline(100);
  LimitInterval interval;
  interval.from = *detail->history.firstTime();
  interval.to = *detail->history.lastTime();
  interval.sending.add(Limit::receiver, interval.to - interval.from);
  detail->limits.append(interval);
  detail->changeMarks = {{Moment::fromNanoseconds(16'000'000'000LL), std::nullopt, text, text, text}};
  detail->events = {{*detail->history.lastTime(), HistoryEventKind::retransmission, 3}};

  auto snapshot = std::make_shared<SessionSnapshot>();
  snapshot->places = {{PlaceId{0}, text, "0f0e0d", "4026531840", text, text}};
  snapshot->gaps = {{PlaceId{0}, GapKind::receiveBufferOverflow, 3}};
  ListenerRow listener;
  listener.id = {PlaceId{0}, 9};
  listener.local = {IpAddress::parse("2001:db8:5::7").value(), 443};
  listener.owner = detail->owner;
  listener.findings = {{RuleId::acceptQueueOverflow, FindingSeverity::warning, 0.8, {}}};
  snapshot->listeners = {listener};

  ReportInput input{snapshot, {detail}, WallTime::fromNanoseconds(1'767'323'045'000'006'789), "0.1.0", {}};
  CheckRow row;
  row.id = CheckId::queueDiscipline;
  row.layer = CheckLayer::dataLink;
  row.status = CheckStatus::warn;
  row.object = text;
  row.names = {text};
  input.checkup = std::vector<CheckRow>{row};
  return input;
}

}  // namespace tcpscope::test
