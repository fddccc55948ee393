#include "app/cli/connection_look.h"

#include <algorithm>

#include "app/cli/interruption.h"
#include "app/cli/path_feeding.h"
#include "app/cli/recording_notice.h"
#include "app/remote/polled_agent.h"
#include "app/session/polled_session.h"
#include "app/session/recorded_session.h"
#include "collectors/system/monotonic_clock.h"
#include "core/present/report/report_model.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kSamplingInterval{100};

using Failure = Unexpected<ExitCode>;

/// The statistics of a session span between one and two halves of its window: twice the time watched covers it all.
LocalSessionSettings lookSettings(const CommandOptions& options, const ConnectionFilter& filter) {
  LocalSessionSettings settings;
  settings.control.filter = filter;
  settings.control.listInterval = kSamplingInterval;
  settings.resolveOwners = !options.noResolve;
  settings.budget.verdictWindow = nanosecondsOf(options.forSeconds * 2 + 2);
  settings.budget.watchesPaths = keepsPathBook(options);
  return settings;
}

/// Keeps the whole past, from now on, of those that carry most now: of all it would not fit.
void followBusiest(const SessionSnapshot& snapshot, SessionControl& control) {
  constexpr std::size_t kMostFollowed = 64;
  constexpr std::size_t kFollowedAtOnce = 2 * kMostReported;
  std::size_t looked = 0;
  for (const std::uint32_t slot : *snapshot.order) {
    if (control.followed.size() >= kMostFollowed || ++looked > kFollowedAtOnce) return;
    control.followed.insert(snapshot.id(slot));
  }
}

std::shared_ptr<const SessionSnapshot> tickOf(PolledSession& session, Moment /*now*/) {
  return session.tick();
}
std::shared_ptr<const SessionSnapshot> tickOf(AnalysisSession& session, Moment now) {
  return session.tick(now);
}

/// Asks who carries most now and then, where histories are wanted.
class BusiestFollower {
public:
  BusiestFollower(SessionControl control, LookDepth depth) : m_control(std::move(control)), m_depth(depth) {}

  template <class Session>
  void look(Session& session, Moment now) {
    constexpr Nanoseconds kEvery = std::chrono::milliseconds(300);
    if (m_depth == LookDepth::verdicts || now < m_next) return;
    m_next = now + kEvery;
    followBusiest(*tickOf(session, now), m_control);
    session.setControl(m_control);
  }

private:
  SessionControl m_control;
  LookDepth m_depth;
  Moment m_next;
};

ExitCode watchFor(PolledSession& session, BusiestFollower& follower, Nanoseconds span,
                  const Interruption& interruption) {
  const Moment end = monotonicNow() + span;
  Moment next = monotonicNow();
  bool asked = false;
  while (true) {
    if (!session.poll()) return fail(SystemError{SystemAttempt::listSockets, 0, {}});
    if (!asked) {
      // Processes that end within the span are known by then.
      session.askProcesses();
      asked = true;
    }
    const Moment now = monotonicNow();
    follower.look(session, now);
    if (now >= end) return ExitCode::done;
    next = std::max(next + kSamplingInterval, now);
    if (interruption.waitUntil(std::min(next, end)) == Interruption::Wake::interrupted) return ExitCode::done;
  }
}

Expected<ConnectionLook, ExitCode> lookThere(const CommandOptions& options, const ConnectionFilter& filter,
                                             std::string_view address, LookDepth depth) {
  const LocalSessionSettings settings = lookSettings(options, filter);
  const auto agent = PolledAgent::reach(address, options.means, settings.control, settings.budget);
  if (!agent) return Failure(fail(agent.error()));
  const Interruption interruption;
  const Moment end = monotonicNow() + nanosecondsOf(options.forSeconds);
  BusiestFollower follower(settings.control, depth);
  (*agent)->hear({interruption.wakeDescriptor(), [&] { return interruption.happened(); }},
                 [&](const ObservationBatch&) {
                   follower.look((*agent)->session(), monotonicNow());
                   return monotonicNow() >= end;
                 });
  const auto snapshot = (*agent)->session().tick(monotonicNow());
  return ConnectionLook{snapshot, detailsOf((*agent)->session(), *snapshot), wallNow(), 0};
}

Expected<ConnectionLook, ExitCode> lookHere(const CommandOptions& options, const ConnectionFilter& filter,
                                            LookDepth depth) {
  const auto place = findLocalPlace(options.networkNamespace);
  if (!place) return Failure(fail(place.error()));
  const LocalSessionSettings settings = lookSettings(options, filter);
  auto session = PolledSession::open(*place, settings);
  if (!session) return Failure(fail(session.error()));
  const Interruption interruption;
  BusiestFollower follower(settings.control, depth);
  if (const ExitCode code = watchFor(**session, follower, nanosecondsOf(options.forSeconds), interruption);
      code != ExitCode::done) {
    return Failure(code);
  }
  (*session)->askProcesses();
  const auto snapshot = (*session)->tick();
  return ConnectionLook{snapshot,     (*session)->details(*snapshot),
                        wallNow(),    0,
                        std::nullopt, (*session)->takePathSightings(PathLook::always)};
}

}  // namespace

ConnectionsDocument ConnectionLook::document() const {
  ConnectionsDocument document;
  document.time = time;
  document.places = snapshot->places;
  document.gaps = snapshot->gaps;
  document.listeners = snapshot->listeners;
  document.connections = details;
  return document;
}

Expected<ConnectionLook, ExitCode> lookAtRecording(const ConnectionFilter& filter, const std::string& file,
                                                   LookDepth depth) {
  SessionControl control;
  control.filter = filter;
  if (depth == LookDepth::histories) {
    // A first pass says who carries most.
    const auto first = RecordedSession::read(file, control);
    if (!first) return Failure(fail(first.error()));
    auto details = (*first)->details(*(*first)->atEnd());
    orderForReport(details);
    if (details.size() > kMostReported) details.resize(kMostReported);
    for (const auto& detail : details) control.followed.insert(detail->row.id);
  }
  const auto session = RecordedSession::read(file, control);
  if (!session) return Failure(fail(session.error()));
  const auto snapshot = (*session)->atEnd();
  tellDamage(file, (*session)->facts());
  return ConnectionLook{snapshot, (*session)->details(*snapshot), (*session)->endedAt(), 0, (*session)->facts()};
}

Expected<ConnectionLook, ExitCode> lookAtConnections(const CommandOptions& options, const ConnectionFilter& filter,
                                                     LookDepth depth) {
  if (const auto address = options.sshAddress()) return lookThere(options, filter, *address, depth);
  if (options.from) return lookAtRecording(filter, *options.from, depth);
  return lookHere(options, filter, depth);
}

}  // namespace tcpscope
