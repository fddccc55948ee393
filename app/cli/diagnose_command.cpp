// `diagnose`: watches for some seconds, then says for each connection what limits it, and why.
#include <algorithm>

#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/text_output.h"
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

/// Text with the escape sequences of a terminal, or without.
class Style {
public:
  explicit Style(bool color) : m_color(color) {}
  [[nodiscard]] std::string bold(std::string_view text) const { return wrap("\x1b[1m", text); }
  [[nodiscard]] std::string dim(std::string_view text) const { return wrap("\x1b[2m", text); }
  [[nodiscard]] std::string severity(FindingSeverity severity) const {
    const std::string_view word = name(severity);
    if (severity == FindingSeverity::problem) return wrap("\x1b[31m", word);
    return severity == FindingSeverity::warning ? wrap("\x1b[33m", word) : std::string(word);
  }

private:
  [[nodiscard]] std::string wrap(std::string_view code, std::string_view text) const {
    return m_color ? fmt::format("{}{}\x1b[0m", code, text) : std::string(text);
  }
  bool m_color;
};

template <class... Values>
void line(TextBuffer& out, fmt::format_string<Values...> form, Values&&... values) {
  fmt::format_to(std::back_inserter(out), form, std::forward<Values>(values)...);
  out.push_back('\n');
}

bool isActive(const ConnectionDetail& detail) {
  const auto busy = [](const std::optional<SideDiagnosis>& side) {
    return side && side->verdict.limit != Limit::idle && side->limits.ratio(Limit::idle) < 1.0 &&
           (side->verdict.limit != Limit::unknown || (side->goodput && side->goodput->value() > 0));
  };
  return busy(detail.diagnosis.sending) || busy(detail.diagnosis.receiving);
}

std::string limitsText(const LimitShares& limits) {
  std::vector<Limit> order(kLimits.begin(), kLimits.end());
  std::stable_sort(order.begin(), order.end(), [&](Limit a, Limit b) { return limits.span(a) > limits.span(b); });
  std::string text;
  for (const Limit limit : order) {
    if (limits.ratio(limit) < 0.005) continue;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", shortName(limit), limits.ratio(limit) * 100);
  }
  return text;
}

void appendBounds(TextBuffer& out, const SideDiagnosis& side) {
  bool first = true;
  for (const Bound& bound : side.bounds) {
    std::string text;
    if (bound.applies && bound.rate) {
      text = formatRate(*bound.rate);
    } else if (bound.whyNot == WhyNoBound::noLossSeen && bound.rate) {
      text = fmt::format("at least {} ({})", formatRate(*bound.rate), sentence(bound.whyNot));
    } else {
      continue;
    }
    line(out, "    {:<10}{}: {}", first ? "bounds" : "", title(bound.model), text);
    first = false;
  }
}

void appendSide(TextBuffer& out, const SideDiagnosis& side, const Style& style) {
  const std::string rate = side.goodput ? formatRate(*side.goodput) : std::string("rate not known");
  line(out, "  {} {}", side.side == Side::sending ? "sending" : "receiving", rate);
  line(out, "    {:<10}{} {}", "verdict", style.bold(sentence(side.verdict, side.side)),
       style.dim(fmt::format("(confidence {:.0f} %)", side.verdict.confidenceRatio * 100)));
  bool first = true;
  for (const Evidence& evidence : side.verdict.evidence) {
    line(out, "    {:<10}{}", first ? "evidence" : "", sentence(evidence));
    first = false;
  }
  if (const std::string limits = limitsText(side.limits); !limits.empty()) line(out, "    {:<10}{}", "limits", limits);
  appendBounds(out, side);
  for (const Finding& finding : side.findings) {
    line(out, "    {:<10}{}", style.severity(finding.severity), sentence(finding, side.side));
    for (const Evidence& evidence : finding.evidence) line(out, "    {:<10}  {}", "", sentence(evidence));
  }
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

ExitCode diagnoseRecording(const CommandOptions& options, const ConnectionFilter& filter) {
  SessionControl control;
  control.filter = filter;
  const auto session = RecordedSession::read(*options.from, control);
  if (!session) return fail(session.error());
  const auto snapshot = (*session)->atEnd();
  return tell(options, filter, *snapshot, (*session)->details(*snapshot), (*session)->endedAt());
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

ExitCode diagnoseCommand(const CommandOptions& options) {
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  if (const auto address = options.sshAddress()) return diagnoseThere(options, *filter, *address);
  if (options.from) return diagnoseRecording(options, *filter);
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
