#include "core/host/layer_checks.h"

#include "core/host/counter_check.h"

namespace tcpscope {

namespace {

constexpr std::array kTcpCounters = {
    CounterCheck{CheckId::reversePath, CheckLayer::network, {"IPReversePathFilter", "", ""}, CheckStatus::warn},
    CounterCheck{CheckId::acceptQueue, CheckLayer::transport, {"ListenDrops", "", ""}},
    CounterCheck{CheckId::receivePruned, CheckLayer::transport, {"PruneCalled", "RcvPruned", "OfoPruned"}},
    CounterCheck{CheckId::receiveCollapsed, CheckLayer::transport, {"TCPRcvCollapsed", "", ""}, CheckStatus::warn},
    CounterCheck{CheckId::memoryPressure, CheckLayer::transport, {"TCPMemoryPressures", "", ""}},
    CounterCheck{CheckId::memoryAborts, CheckLayer::transport, {"TCPAbortOnMemory", "", ""}},
    CounterCheck{CheckId::socketBacklog, CheckLayer::transport, {"TCPBacklogDrop", "TCPRcvQDrop", ""}},
    CounterCheck{CheckId::sendQueueTooBig, CheckLayer::transport, {"TCPWqueueTooBig", "", ""}, CheckStatus::warn},
};

/// What a host with these settings begins new connections with.
CheckRow rememberedThresholdOf(const HostReading& reading) {
  CheckRow row{CheckId::rememberedThreshold, CheckLayer::transport, CheckStatus::unknown, {}};
  const TcpMetricsSettings& settings = reading.tcpMetricsSettings;
  if (settings.savesNothing == true) row.names.emplace_back("tcp_no_metrics_save");
  if (settings.savesNoThreshold == true) row.names.emplace_back("tcp_no_ssthresh_metrics_save");
  if (!reading.tcpMetrics) return unknown(row, reading.tcpMetrics.error());
  const TcpMetricsReading& metrics = *reading.tcpMetrics;
  row.count = metrics.withSmallThreshold;
  row.most = metrics.destinations;
  // A kernel without the setting uses what it remembers.
  const bool isUsed = settings.savesNoThreshold != true;
  row.status = isUsed && metrics.withSmallThreshold > 0 ? CheckStatus::warn : CheckStatus::pass;
  // None among those that were read says nothing of the rest.
  if (row.status == CheckStatus::pass && isUsed && !metrics.isWhole) row.status = CheckStatus::unknown;
  return row;
}

CheckRow groupMemoryOf(const HostReading& before, const HostReading& after) {
  constexpr double kNearlyAll = 0.9;
  CheckRow row{CheckId::groupMemory, CheckLayer::transport, CheckStatus::unknown, {}};
  if (!after.groupMemory) return unknown(row, after.groupMemory.error());
  const GroupMemoryReading& is = *after.groupMemory;
  row.used = is.used;
  row.limit = is.limit;
  row.inSockets = is.sockets;
  const auto was = before.groupMemory ? before.groupMemory->timesAtLimit : std::nullopt;
  if (was && is.timesAtLimit && *was <= *is.timesAtLimit) {
    row.during = *is.timesAtLimit - *was;
    row.ever = is.timesAtLimit;
  }
  if (is.limit && !is.used) return row;
  const bool isNear = is.limit && *is.used / *is.limit >= kNearlyAll;
  row.status = isNear || row.during.value_or(0) > 0 ? CheckStatus::warn : CheckStatus::pass;
  return row;
}

CheckRow orphansOf(const HostReading& reading) {
  // Doubled, and doubled again, for connections without progress or with an error of the path (tcp_out_of_resources).
  constexpr std::uint64_t kCountedTwice = 2;
  CheckRow row{CheckId::orphans, CheckLayer::transport, CheckStatus::unknown, {}};
  if (!reading.orphans) return row;
  row.count = reading.orphans->sockets;
  row.most = reading.orphans->most;
  if (!row.most) return row;
  row.status = *row.count * kCountedTwice > *row.most ? CheckStatus::warn : CheckStatus::pass;
  return row;
}

/// The standard one first. Which is right depends on the path: none is wrong.
CheckRow congestionControlsOf(const HostReading& reading) {
  CheckRow row{CheckId::congestionControls, CheckLayer::transport, CheckStatus::unknown, {}};
  if (!reading.controls) return row;
  row.names.push_back(reading.controls->standard);
  for (const UntrustedText& one : reading.controls->available) {
    if (one != reading.controls->standard) row.names.push_back(one);
  }
  row.status = CheckStatus::pass;
  return row;
}

CheckRow otherTunersOf(const HostReading& reading) {
  CheckRow row{CheckId::otherTuners, CheckLayer::transport, CheckStatus::unknown, {}};
  if (!reading.tuners) return unknown(row, reading.tuners.error());
  for (const FoundTuner& one : reading.tuners->found) {
    row.names.emplace_back(one.tuner == OtherTuner::tuned ? "tuned" : "bpftune");
  }
  // None among the processes that may be looked at says nothing of the rest.
  if (row.names.empty() && !reading.tuners->sawAllProcesses) return unknown(row, UnknownReason::notPermitted);
  row.status = row.names.empty() ? CheckStatus::pass : CheckStatus::warn;
  return row;
}

}  // namespace

void addTransportChecks(std::vector<CheckRow>& rows, const HostReading& before, const HostReading& after) {
  for (const CounterCheck& check : kTcpCounters) {
    rows.push_back(rowOf(check, {}, before.tcpCounters, after.tcpCounters));
  }
  rows.push_back(rememberedThresholdOf(after));
  rows.push_back(groupMemoryOf(before, after));
  rows.push_back(orphansOf(after));
  rows.push_back(congestionControlsOf(after));
  rows.push_back(otherTunersOf(after));
}

}  // namespace tcpscope
