#include "app/cli/new_transfers.h"

#include <algorithm>

#include "app/session/polled_session.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

/// In bit/s; absent for a connection that existed before, or carried too little for a rate.
std::optional<double> goodputOf(const ConnectionRow& row, Moment firstPoll, Moment lastPoll) {
  const Nanoseconds seen = (row.closed ? row.closedAt : lastPoll) - row.firstSeen;
  const auto bytes = static_cast<double>(std::max(row.sentBytes, row.receivedBytes));
  if (row.firstSeen <= firstPoll || seen < kShortestSeen || !(bytes >= kFewestBytes)) return std::nullopt;
  return bytes * kBitsPerByte / toSeconds(seen);
}

/// Where both ends are in this namespace, the transfer is one.
bool isPeer(const ConnectionRow& one, const ConnectionRow& other) {
  return one.local == other.remote && one.remote == other.local;
}

}  // namespace

Expected<std::vector<double>, ExitCode> goodputsOfNewTransfers(Nanoseconds span, const Interruption& interruption) {
  constexpr Milliseconds kPollInterval{50};
  const auto place = findLocalPlace({});
  if (!place) return tl::unexpected(fail(place.error()));
  LocalSessionSettings settings;
  settings.resolveOwners = false;
  const auto session = PolledSession::open(*place, settings);
  if (!session) return tl::unexpected(fail(session.error()));
  (*session)->poll();
  const Moment firstPoll = (*session)->tick()->time;
  const Moment end = monotonicNow() + span;
  std::shared_ptr<const SessionSnapshot> snapshot;
  do {
    interruption.waitUntil(std::min(monotonicNow() + kPollInterval, end));
    (*session)->poll();
    snapshot = (*session)->tick();
  } while (monotonicNow() < end && !interruption.happened());

  std::vector<double> goodputs;
  std::vector<ConnectionRow> counted;
  for (const std::uint32_t slot : *snapshot->order) {
    const ConnectionRow row = snapshot->row(slot);
    const auto goodput = goodputOf(row, firstPoll, snapshot->time);
    const auto isCounted = [&](const ConnectionRow& one) { return isPeer(one, row); };
    if (!goodput || std::any_of(counted.begin(), counted.end(), isCounted)) continue;
    counted.push_back(row);
    goodputs.push_back(*goodput);
  }
  return goodputs;
}

}  // namespace tcpscope
