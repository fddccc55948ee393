#include "app/cli/connection_look.h"

#include "app/cli/interruption.h"
#include "app/remote/polled_agent.h"
#include "app/session/polled_session.h"
#include "app/session/recorded_session.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kSamplingInterval{100};

using Failure = Unexpected<ExitCode>;

/// The statistics of a session span between one and two halves of its window: twice the time watched covers it all.
LocalSessionSettings settingsFor(const CommandOptions& options, const ConnectionFilter& filter) {
  LocalSessionSettings settings;
  settings.control.filter = filter;
  settings.control.listInterval = kSamplingInterval;
  settings.resolveOwners = !options.noResolve;
  settings.budget.verdictWindow = nanosecondsOf(options.forSeconds * 2 + 2);
  return settings;
}

ExitCode watchFor(PolledSession& session, Nanoseconds span, const Interruption& interruption) {
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
    if (now >= end) return ExitCode::done;
    next = std::max(next + kSamplingInterval, now);
    if (interruption.waitUntil(std::min(next, end)) == Interruption::Wake::interrupted) return ExitCode::done;
  }
}

Expected<ConnectionLook, ExitCode> lookThere(const CommandOptions& options, const ConnectionFilter& filter,
                                             std::string_view address) {
  const LocalSessionSettings settings = settingsFor(options, filter);
  const auto agent = PolledAgent::reach(address, settings.control, settings.budget);
  if (!agent) return Failure(fail(agent.error()));
  const Interruption interruption;
  const Moment end = monotonicNow() + nanosecondsOf(options.forSeconds);
  (*agent)->hear({interruption.wakeDescriptor(), [&] { return interruption.happened(); }},
                 [&](const ObservationBatch&) { return monotonicNow() >= end; });
  const auto snapshot = (*agent)->session().tick(monotonicNow());
  return ConnectionLook{snapshot, detailsOf((*agent)->session(), *snapshot), wallNow()};
}

Expected<ConnectionLook, ExitCode> lookHere(const CommandOptions& options, const ConnectionFilter& filter) {
  const auto place = findLocalPlace(options.networkNamespace);
  if (!place) return Failure(fail(place.error()));
  auto session = PolledSession::open(*place, settingsFor(options, filter));
  if (!session) return Failure(fail(session.error()));
  const Interruption interruption;
  if (const ExitCode code = watchFor(**session, nanosecondsOf(options.forSeconds), interruption);
      code != ExitCode::done) {
    return Failure(code);
  }
  (*session)->askProcesses();
  const auto snapshot = (*session)->tick();
  return ConnectionLook{snapshot, (*session)->details(*snapshot), wallNow()};
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

Expected<ConnectionLook, ExitCode> lookAtRecording(const ConnectionFilter& filter, const std::string& file) {
  SessionControl control;
  control.filter = filter;
  const auto session = RecordedSession::read(file, control);
  if (!session) return Failure(fail(session.error()));
  const auto snapshot = (*session)->atEnd();
  return ConnectionLook{snapshot, (*session)->details(*snapshot), (*session)->endedAt()};
}

Expected<ConnectionLook, ExitCode> lookAtConnections(const CommandOptions& options, const ConnectionFilter& filter) {
  if (const auto address = options.sshAddress()) return lookThere(options, filter, *address);
  if (options.from) return lookAtRecording(filter, *options.from);
  return lookHere(options, filter);
}

}  // namespace tcpscope
