#include "app/cli/polling.h"

#include <fmt/core.h>

#include <utility>

#include "app/cli/exit_code.h"
#include "app/cli/interruption.h"
#include "app/cli/path_feeding.h"
#include "app/remote/polled_agent.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"

namespace tcpscope {

namespace {

using Use = std::function<ExitCode(const NextPoll&)>;

/// What cannot be seen, once, and what has gone.
void reportNamespaces(OtherNamespaces& others, bool& saidMissing) {
  if (others.mayBeMore() && !std::exchange(saidMissing, true)) reportMissingNamespaces();
  for (const std::string& name : others.takeVanished()) {
    fmt::print(stderr, "tcpscope-cli: network namespace {} has gone\n", forTerminal(name));
  }
}

ExitCode pollHere(const CommandOptions& options, const LocalSessionSettings& settings, const Use& use) {
  const auto place = findLocalPlace(options.networkNamespace);
  if (!place) return fail(place.error());
  std::optional<PathFeeding> paths;
  if (settings.budget.watchesPaths) paths.emplace(options, place->place);
  const auto session = PolledSession::open(*place, settings);
  if (!session) return fail(session.error());
  const Interruption interruption;
  Moment due = monotonicNow();
  bool isBroken = false;
  bool saidMissing = false;
  const auto nextPoll = [&]() -> std::optional<Poll> {
    if (interruption.waitUntil(due) == Interruption::Wake::interrupted) return std::nullopt;
    due = due + options.interval();
    isBroken = !(*session)->poll();
    if (isBroken) return std::nullopt;
    if (OtherNamespaces* const others = (*session)->others()) reportNamespaces(*others, saidMissing);
    (*session)->askProcesses();
    Poll poll{(*session)->tick(), wallNow(), (*session)->session(), session->get()};
    if (paths) paths->take((*session)->takePathSightings(PathPoll::ifDue));
    return poll;
  };
  const ExitCode code = use(nextPoll);
  if (paths) paths->take((*session)->takePathSightings(PathPoll::always));
  return isBroken ? fail(SystemError{SystemAttempt::listSockets, 0, {}}) : code;
}

ExitCode pollThere(const CommandOptions& options, const LocalSessionSettings& settings, std::string_view address,
                   const Use& use) {
  const auto agent = PolledAgent::reach(address, options.means, settings.control, settings.budget);
  if (!agent) return fail(agent.error());
  const Interruption interruption;
  // The owners come behind the first dump, and never from ss.
  int dumps = options.noResolve || options.means == AgentMeans::throughSs ? 1 : 2;
  std::optional<SystemError> failure;
  const auto nextPoll = [&]() -> std::optional<Poll> {
    const auto heard =
        (*agent)->hear({interruption.wakeDescriptor(), [&] { return interruption.happened(); }},
                       [&](const ObservationBatch& batch) { return (*agent)->endsDump(batch) && --dumps <= 0; });
    if (!heard) failure = heard.error();
    // The agent ended or stalled, or an interruption came.
    if (dumps > 0) return std::nullopt;
    dumps = 1;
    return Poll{(*agent)->session().tick(monotonicNow()), wallNow(), (*agent)->session(), nullptr,
                kMostUntrustedDetails};
  };
  const ExitCode code = use(nextPoll);
  return failure ? fail(*failure) : code;
}

ExitCode pollRecording(const CommandOptions& options, const LocalSessionSettings& settings, const Use& use) {
  const auto session = RecordedSession::open(*options.from, settings.control, settings.budget);
  if (!session) return fail(session.error());
  const Interruption interruption;
  Moment due = (*session)->clock().monotonic;
  bool isOver = false;
  const auto nextPoll = [&]() -> std::optional<Poll> {
    if (isOver || interruption.happened()) return std::nullopt;
    due = due + options.interval();
    isOver = !(*session)->readUntil(due);
    auto snapshot = (*session)->at(due);
    const WallTime time = (*session)->clock().wallAt(snapshot->time);
    return Poll{std::move(snapshot), time, (*session)->session(), nullptr, kMostUntrustedDetails};
  };
  const ExitCode code = use(nextPoll);
  reportDamage(*options.from, (*session)->facts());
  return code;
}

}  // namespace

LocalSessionSettings pollingSettings(const CommandOptions& options, const ConnectionFilter& filter) {
  LocalSessionSettings settings;
  settings.control.filter = filter;
  settings.control.listInterval = options.interval();
  settings.control.keepClosed = false;
  settings.resolveOwners = !options.noResolve;
  return settings;
}

ExitCode pollConnections(const CommandOptions& options, const LocalSessionSettings& settings, const Use& use) {
  if (const auto address = options.sshAddress()) return pollThere(options, settings, *address, use);
  return options.from ? pollRecording(options, settings, use) : pollHere(options, settings, use);
}

}  // namespace tcpscope
