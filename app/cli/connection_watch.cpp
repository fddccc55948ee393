#include "app/cli/connection_watch.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/capture_faults.h"
#include "app/cli/exit_code.h"
#include "app/cli/interruption.h"
#include "app/cli/path_feeding.h"
#include "app/cli/text_output.h"
#include "app/remote/polled_agent.h"
#include "app/session/capture_session.h"
#include "app/session/polled_session.h"
#include "app/session/recorded_session.h"
#include "collectors/system/monotonic_clock.h"
#include "core/filter/capture_filter.h"
#include "core/present/report/report_model.h"
#include "core/session/capture_list.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kSamplingInterval{100};
/// A single sample of a connection shows nothing of what it does, however long it took.
constexpr int kFewestPolls = 2;

using Failure = Unexpected<ExitCode>;

/// The statistics of a session span between one and two halves of its window: twice the time watched covers it all.
LocalSessionSettings watchSettings(const CommandOptions& options, const ConnectionFilter& filter) {
  LocalSessionSettings settings;
  settings.control.filter = filter;
  settings.control.listInterval = kSamplingInterval;
  settings.resolveOwners = !options.noResolve;
  settings.budget.verdictWindow = nanosecondsOf(options.forSeconds * 2 + 2);
  settings.budget.watchesPaths = keepsPathHistory(options);
  return settings;
}

/// Keeps the whole history, from now on, of the connections that are busiest now: the history of all would not fit.
void followBusiest(const SessionSnapshot& snapshot, SessionControl& control) {
  constexpr std::size_t kMostFollowed = 64;
  constexpr std::size_t kFollowedAtOnce = 2 * kMostReported;
  std::size_t checked = 0;
  for (const std::uint32_t slot : *snapshot.order) {
    if (control.followed.size() >= kMostFollowed || ++checked > kFollowedAtOnce) return;
    control.followed.insert(snapshot.id(slot));
  }
}

std::shared_ptr<const SessionSnapshot> tickOf(PolledSession& session, Moment /*now*/) {
  return session.tick();
}
std::shared_ptr<const SessionSnapshot> tickOf(AnalysisSession& session, Moment now) {
  return session.tick(now);
}

/// Finds the busiest connections now and then, where histories are requested.
class BusiestFollower {
public:
  BusiestFollower(SessionControl control, WatchDepth depth) : m_control(std::move(control)), m_depth(depth) {}

  template <class Session>
  void update(Session& session, Moment now) {
    constexpr Nanoseconds kEvery = std::chrono::milliseconds(300);
    if (m_depth == WatchDepth::verdicts || now < m_next) return;
    m_next = now + kEvery;
    followBusiest(*tickOf(session, now), m_control);
    session.setControl(m_control);
  }

private:
  SessionControl m_control;
  WatchDepth m_depth;
  Moment m_next;
};

ExitCode watchFor(PolledSession& session, BusiestFollower& follower, Nanoseconds span,
                  const Interruption& interruption) {
  const Moment end = monotonicNow() + span;
  Moment next = monotonicNow();
  for (int polls = 1;; ++polls) {
    if (!session.poll()) return fail(SystemError{SystemAttempt::listSockets, 0, {}});
    // Processes that end within the span are known by then.
    if (polls == 1) session.askProcesses();
    const Moment now = monotonicNow();
    follower.update(session, now);
    const bool hasEnough = polls >= kFewestPolls;
    if (hasEnough && now >= end) return ExitCode::done;
    next = std::max(next + kSamplingInterval, now);
    const Moment until = hasEnough ? std::min(next, end) : next;
    if (interruption.waitUntil(until) == Interruption::Wake::interrupted) return ExitCode::done;
  }
}

ConnectionWatch watchOf(const std::shared_ptr<const SessionSnapshot>& snapshot, const AnalysisSession& session,
                        WallTime time) {
  ConnectionWatch watch{snapshot, detailsOf(session, *snapshot, kMostUntrustedDetails), time, 0};
  watch.withoutDetails = snapshot->order->size() - watch.details.size();
  return watch;
}

Expected<ConnectionWatch, ExitCode> watchThere(const CommandOptions& options, const ConnectionFilter& filter,
                                               std::string_view address, WatchDepth depth) {
  const LocalSessionSettings settings = watchSettings(options, filter);
  const auto agent = PolledAgent::reach(address, options.means, settings.control, settings.budget);
  if (!agent) return Failure(fail(agent.error()));
  const Interruption interruption;
  const Moment end = monotonicNow() + nanosecondsOf(options.forSeconds);
  BusiestFollower follower(settings.control, depth);
  int polls = 0;
  const auto heard = (*agent)->hear({interruption.wakeDescriptor(), [&] { return interruption.happened(); }},
                                    [&](const ObservationBatch& batch) {
                                      follower.update((*agent)->session(), monotonicNow());
                                      polls += (*agent)->endsDump(batch) ? 1 : 0;
                                      return polls >= kFewestPolls && monotonicNow() >= end;
                                    });
  if (!heard) return Failure(fail(heard.error()));
  const auto snapshot = (*agent)->session().tick(monotonicNow());
  return watchOf(snapshot, (*agent)->session(), wallNow());
}

Expected<ConnectionWatch, ExitCode> watchHere(const CommandOptions& options, const ConnectionFilter& filter,
                                              WatchDepth depth) {
  const auto place = findLocalPlace(options.networkNamespace);
  if (!place) return Failure(fail(place.error()));
  const LocalSessionSettings settings = watchSettings(options, filter);
  auto session = PolledSession::open(*place, settings);
  if (!session) return Failure(fail(session.error()));
  const Interruption interruption;
  BusiestFollower follower(settings.control, depth);
  if (const ExitCode code = watchFor(**session, follower, nanosecondsOf(options.forSeconds), interruption);
      code != ExitCode::done) {
    return Failure(code);
  }
  (*session)->askProcesses();
  if (const auto* others = (*session)->others(); others != nullptr && others->mayBeMore()) reportMissingNamespaces();
  const auto snapshot = (*session)->tick();
  return ConnectionWatch{snapshot,     (*session)->details(*snapshot),
                         wallNow(),    0,
                         std::nullopt, (*session)->takePathSightings(PathPoll::always)};
}

}  // namespace

std::vector<CollectionGap> ConnectionWatch::gaps() const {
  std::vector<CollectionGap> all = snapshot->gaps;
  if (withoutDetails > 0) all.push_back({snapshot->places.front().id, GapKind::detailBudget, withoutDetails});
  return all;
}

ConnectionsDocument ConnectionWatch::documentHead() const {
  ConnectionsDocument document;
  document.time = time;
  document.places = snapshot->places;
  document.gaps = gaps();
  document.listeners = snapshot->listeners;
  return document;
}

Expected<ConnectionWatch, ExitCode> watchRecordedConnections(const ConnectionFilter& filter, const std::string& file,
                                                             WatchDepth depth) {
  SessionControl control;
  control.filter = filter;
  if (depth == WatchDepth::histories) {
    // A first pass finds the busiest connections.
    const auto first = RecordedSession::read(file, control);
    if (!first) return Failure(fail(first.error()));
    const auto atEnd = (*first)->atEnd();
    auto details = detailsOf((*first)->session(), *atEnd, kMostUntrustedDetails);
    orderForReport(details);
    if (details.size() > kMostReported) details.resize(kMostReported);
    for (const auto& detail : details) control.followed.insert(detail->row.id);
  }
  const auto session = RecordedSession::read(file, control);
  if (!session) return Failure(fail(session.error()));
  const auto snapshot = (*session)->atEnd();
  reportDamage(file, (*session)->facts());
  ConnectionWatch watch = watchOf(snapshot, (*session)->session(), (*session)->endedAt());
  watch.recording = (*session)->facts();
  return watch;
}

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

/// The packets of each are read once more for its details.
constexpr std::size_t kMostCapturedDetails = 256;

/// The busiest connections, at most so many.
std::vector<ConnectionId> heaviest(const SessionSnapshot& snapshot, std::size_t most) {
  std::vector<ConnectionRow> rows;
  rows.reserve(snapshot.order->size());
  for (const std::uint32_t slot : *snapshot.order) rows.push_back(snapshot.row(slot));
  const auto bytes = [](const ConnectionRow& row) {
    return std::max(row.sentBytes, 0.0F) + std::max(row.receivedBytes, 0.0F);
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return bytes(a) > bytes(b); });
  if (rows.size() > most) rows.resize(most);
  std::vector<ConnectionId> ids;
  ids.reserve(rows.size());
  for (const ConnectionRow& row : rows) ids.push_back(row.id);
  return ids;
}

}  // namespace

std::optional<Expected<ConnectionWatch, ExitCode>> readCapturedConnections(const ConnectionFilter& filter,
                                                                           const std::string& file, WatchDepth depth) {
  using Answer = Expected<ConnectionWatch, ExitCode>;
  SessionControl control;
  control.filter = filter;
  auto session = CaptureSession::open(file, PlaceId{0}, control);
  if (!session) {
    if (session.error().format == FileFormat::tcpscopeRecording) return std::nullopt;
    return Answer(Failure(failRefused(session.error(), UntrustedText(file))));
  }
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
  CapturedFile captured = (*session)->reading().file;
  captured.name = UntrustedText(file);
  const ExitCode damage = reportEarlyEnd(captured);
  ConnectionWatch watch{latest(), {}, {}, 0};
  if (watch.snapshot->totalRows == 0) {
    if (damage != ExitCode::done) return Answer(Failure(damage));
    return Answer(Failure(failWithoutConnections(nameOf(captured), captured.packets)));
  }
  watch.captureGaps = gapsOf(captured);
  const std::vector<ConnectionId> wanted =
      heaviest(*watch.snapshot, depth == WatchDepth::histories ? kMostReported : kMostCapturedDetails);
  watch.withoutDetails = watch.snapshot->order->size() - wanted.size();
  for (const ConnectionId id : wanted) {
    control.focus = id;
    (*session)->setControl(control);
    if (!awaitReading(interruption, [&] { return latest()->details.contains(id); })) break;
    watch.details.push_back(latest()->details.at(id));
  }
  watch.time = kCaptureClock.wallAt(watch.snapshot->time);
  return Answer(std::move(watch));
}

Expected<ConnectionWatch, ExitCode> watchConnections(const CommandOptions& options, const ConnectionFilter& filter,
                                                     WatchDepth depth) {
  if (const auto address = options.sshAddress()) return watchThere(options, filter, *address, depth);
  if (options.from) {
    if (auto captured = readCapturedConnections(filter, *options.from, depth)) return *std::move(captured);
    return watchRecordedConnections(filter, *options.from, depth);
  }
  return watchHere(options, filter, depth);
}

ExitCode writeDocument(const ConnectionWatch& watch, OutputForm form) {
  OutputParts out;
  if (form == OutputForm::jsonStream) {
    for (const auto& detail : watch.details) out.append(toJsonLine(*detail, SampleEvent::sample, watch.time));
    return out.finish();
  }
  ConnectionsDocumentPieces pieces;
  out.append(pieces.begin(watch.documentHead()));
  for (const auto& detail : watch.details) out.append(pieces.connection(*detail));
  out.append(ConnectionsDocumentPieces::end());
  return out.finish();
}

}  // namespace tcpscope
