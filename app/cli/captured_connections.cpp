#include "app/cli/captured_connections.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/interruption.h"
#include "app/session/capture_session.h"
#include "collectors/system/monotonic_clock.h"
#include "core/filter/capture_filter.h"
#include "core/present/report/report_model.h"
#include "core/session/capture_list.h"

namespace tcpscope {

namespace {

/// Between two checks of what the session's thread has read.
constexpr Nanoseconds kReadingPause = std::chrono::milliseconds(2);

/// False once interrupted.
template <class Done>
bool awaitReading(const Interruption& interruption, Done done) {
  while (!done()) {
    if (interruption.waitUntil(monotonicNow() + kReadingPause) == Interruption::Wake::interrupted) return false;
  }
  return true;
}

/// The busiest connections.
std::vector<ConnectionId> heaviest(const SessionSnapshot& snapshot) {
  std::vector<ConnectionRow> rows;
  rows.reserve(snapshot.order->size());
  for (const std::uint32_t slot : *snapshot.order) rows.push_back(snapshot.row(slot));
  const auto bytes = [](const ConnectionRow& row) {
    return std::max(row.sentBytes, 0.0F) + std::max(row.receivedBytes, 0.0F);
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return bytes(a) > bytes(b); });
  if (rows.size() > kMostReported) rows.resize(kMostReported);
  std::vector<ConnectionId> ids;
  ids.reserve(rows.size());
  for (const ConnectionRow& row : rows) ids.push_back(row.id);
  return ids;
}

}  // namespace

std::optional<Expected<ConnectionWatch, ExitCode>> readCapturedConnections(const ConnectionFilter& filter,
                                                                           const std::string& file) {
  using Failure = Unexpected<ExitCode>;
  using Answer = Expected<ConnectionWatch, ExitCode>;
  SessionControl control;
  control.filter = filter;
  auto session = CaptureSession::open(file, PlaceId{0}, control);
  if (!session) return std::nullopt;
  if (const auto field = fieldOutsideCaptures(filter)) {
    return Answer(Failure(
        fail(ExitCode::wrongUsage,
             fmt::format("a capture has no field '{}'; filter it by src, dst, sport, dport and limit", *field))));
  }
  const Interruption interruption;
  const auto latest = [&] { return (*session)->latest(); };
  // The snapshot of the whole file follows the reading of it; the first to come may be older than both.
  std::uint64_t before = 0;
  const bool isRead = awaitReading(interruption, [&] { return (*session)->reading().isRead; });
  if (isRead && latest()) before = latest()->number;
  (*session)->setControl(control);
  if (!isRead || !awaitReading(interruption, [&] { return latest() && latest()->number > before; })) {
    return Answer(Failure(fail(ExitCode::notThere, "interrupted before the end of the capture")));
  }
  ConnectionWatch watch{latest(), {}, {}, 0};
  const std::vector<ConnectionId> wanted = heaviest(*watch.snapshot);
  watch.leftOut = watch.snapshot->order->size() - wanted.size();
  for (const ConnectionId id : wanted) {
    control.focus = id;
    (*session)->setControl(control);
    if (!awaitReading(interruption, [&] { return latest()->details.contains(id); })) break;
    watch.details.push_back(latest()->details.at(id));
  }
  watch.time = kCaptureClock.wallAt(watch.snapshot->time);
  return Answer(std::move(watch));
}

}  // namespace tcpscope
