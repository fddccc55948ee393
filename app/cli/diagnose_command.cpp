// `diagnose`: watches for some seconds, then says for each connection what limits it, and why.
#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/side_output.h"
#include "app/remote/polled_agent.h"
#include "app/session/polled_session.h"
#include "app/session/recorded_session.h"
#include "collectors/system/monotonic_clock.h"
#include "core/report/connections_document.h"
#include "core/text/escape.h"
#include "core/text/sentences.h"

namespace tcpscope {

namespace {

constexpr Milliseconds kSamplingInterval{100};

bool isActive(const ConnectionDetail& detail) {
  const auto busy = [](const std::optional<SideDiagnosis>& side) {
    return side && side->verdict.limit != Limit::idle && side->limits.ratio(Limit::idle) < 1.0 &&
           (side->verdict.limit != Limit::unknown || (side->goodput && side->goodput->value() > 0));
  };
  return busy(detail.diagnosis.sending) || busy(detail.diagnosis.receiving);
}

void appendSide(TextBuffer& out, const SideDiagnosis& side, const Style& style) {
  const std::string rate = side.goodput ? formatRate(*side.goodput) : std::string("rate not known");
  line(out, "  {} {}", side.side == Side::sending ? "sending" : "receiving", rate);
  appendDiagnosis(out, side, style);
}

void appendConnection(TextBuffer& out, const ConnectionDetail& detail, const Style& style) {
  std::string owner;
  if (detail.owner) owner = fmt::format("  {} ({})", forTerminal(detail.owner->processName), detail.owner->pid);
  line(out, "{}  {}  {}{}",
       style.bold(fmt::format("{} -> {}", detail.socket.local.toString(), detail.socket.remote.toString())),
       detail.row.closed ? "closed" : name(detail.socket.state), detail.socket.congestionControl.text(), owner);
  const ConnectionDiagnosis& diagnosis = detail.diagnosis;
  const auto side = [&](const std::optional<SideDiagnosis>& one) {
    if (one) appendSide(out, *one, style);
  };
  side(diagnosis.bulk == Side::sending ? diagnosis.sending : diagnosis.receiving);
  side(diagnosis.bulk == Side::sending ? diagnosis.receiving : diagnosis.sending);
  out.push_back('\n');
}

void appendText(TextBuffer& out, const SessionSnapshot& snapshot,
                const std::vector<std::shared_ptr<const ConnectionDetail>>& details, const Style& style) {
  std::size_t idle = 0;
  for (const auto& detail : details) {
    if (isActive(*detail)) {
      appendConnection(out, *detail, style);
    } else {
      ++idle;
    }
  }
  for (const ListenerRow& listener : snapshot.listeners) {
    for (const Finding& finding : listener.findings) {
      line(out, "{}  {}  {}", style.bold("listener " + listener.local.toString()), style.severity(finding.severity),
           sentence(finding, Side::receiving));
    }
  }
  if (const std::string lost = sentence(snapshot.gaps); !lost.empty()) line(out, "incomplete: {}", lost);
  if (idle > 0) line(out, "{} idle connection{} left out; --json has all.", idle, idle == 1 ? "" : "s");
  if (details.empty()) line(out, "No connection to diagnose.");
}

ConnectionsDocument documentOf(const SessionSnapshot& snapshot,
                               std::vector<std::shared_ptr<const ConnectionDetail>> details, WallTime time) {
  ConnectionsDocument document;
  document.time = time;
  document.places = snapshot.places;
  document.gaps = snapshot.gaps;
  document.listeners = snapshot.listeners;
  document.connections = std::move(details);
  return document;
}

/// The statistics of a session span between one and two halves of its window: twice the time watched covers it all.
LocalSessionSettings settingsFor(const CommandOptions& options, const ConnectionFilter& filter) {
  LocalSessionSettings settings;
  settings.control.filter = filter;
  settings.control.listInterval = kSamplingInterval;
  settings.resolveOwners = !options.noResolve;
  const auto span = std::chrono::duration<double>(options.forSeconds * 2 + 2);
  settings.budget.verdictWindow = std::chrono::duration_cast<Nanoseconds>(span);
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

/// What was found, in the form that is wanted.
ExitCode tell(const CommandOptions& options, const ConnectionFilter& filter, const SessionSnapshot& snapshot,
              const std::vector<std::shared_ptr<const ConnectionDetail>>& details, WallTime time) {
  TextBuffer out;
  if (options.form() == OutputForm::text) {
    appendText(out, snapshot, details, Style(options.useColor()));
  } else if (options.form() == OutputForm::json) {
    append(out, toJson(documentOf(snapshot, details, time)));
  } else {
    for (const auto& detail : details) append(out, toJsonLine(*detail, SampleEvent::sample, time));
  }
  const ExitCode code = writeOut({out.data(), out.size()});
  if (code != ExitCode::done || !details.empty() || !filter.root()) return code;
  return ExitCode::notThere;
}

ExitCode diagnoseThere(const CommandOptions& options, const ConnectionFilter& filter, std::string_view address) {
  const LocalSessionSettings settings = settingsFor(options, filter);
  const auto agent = PolledAgent::reach(address, settings.control, settings.budget);
  if (!agent) return fail(agent.error());
  const Interruption interruption;
  const Moment end =
      monotonicNow() + std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(options.forSeconds));
  (*agent)->hear({interruption.wakeDescriptor(), [&] { return interruption.happened(); }},
                 [&](const ObservationBatch&) { return monotonicNow() >= end; });
  const auto snapshot = (*agent)->session().tick(monotonicNow());
  return tell(options, filter, *snapshot, detailsOf((*agent)->session(), *snapshot), wallNow());
}

}  // namespace

ExitCode diagnoseRecording(const CommandOptions& options, const ConnectionFilter& filter, const std::string& file) {
  SessionControl control;
  control.filter = filter;
  const auto session = RecordedSession::read(file, control);
  if (!session) return fail(session.error());
  const auto snapshot = (*session)->atEnd();
  return tell(options, filter, *snapshot, (*session)->details(*snapshot), (*session)->endedAt());
}

ExitCode diagnoseCommand(const CommandOptions& options) {
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  if (const auto address = options.sshAddress()) return diagnoseThere(options, *filter, *address);
  if (options.from) return diagnoseRecording(options, *filter, *options.from);
  const auto place = findLocalPlace(options.networkNamespace);
  if (!place) return fail(place.error());
  auto session = PolledSession::open(*place, settingsFor(options, *filter));
  if (!session) return fail(session.error());

  const Interruption interruption;
  const auto span = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(options.forSeconds));
  if (const ExitCode code = watchFor(**session, span, interruption); code != ExitCode::done) return code;
  (*session)->askProcesses();
  const auto snapshot = (*session)->tick();
  return tell(options, *filter, *snapshot, (*session)->details(*snapshot), wallNow());
}

}  // namespace tcpscope
