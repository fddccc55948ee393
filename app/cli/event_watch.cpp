#include "app/cli/event_watch.h"

#include <algorithm>

#include "app/cli/connection_output.h"
#include "app/cli/interruption.h"
#include "app/cli/opening_table.h"
#include "app/cli/text_output.h"
#include "app/session/event_stream.h"
#include "collectors/owner/process_reader.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"
#include "core/filter/filter_evaluator.h"
#include "core/present/json/event_document.h"
#include "core/present/text/loss_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

constexpr const char* kEventLine = "{:<29}  {:<14}  {:<24}  {:<45}  {}{}";
constexpr Nanoseconds kBetweenWrites = std::chrono::milliseconds(100);

std::string title(KernelEventKind kind) {
  std::string text(name(kind));
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

class EventLines {
public:
  EventLines(const CommandOptions& options, const ConnectionFilter& filter, bool reportsChanges)
      : m_filter(filter), m_isJson(options.form() == OutputForm::jsonStream), m_reportsChanges(reportsChanges) {}

  void appendHead(TextBuffer& out) const {
    if (!m_isJson) line(out, kEventLine, "TIME", "EVENT", "THREAD", "CONNECTION", "DURATION", "");
  }

  void append(TextBuffer& out, const EventStream::Events& taken) {
    // The wall clock may have been set since.
    const ClockPair clock = clockPairNow();
    if (taken.lost > 0) appendLost(out, taken.lost, clock.wall);
    for (const KernelEvent& event : taken.events) {
      if (!mayMatch(event)) continue;
      countOpening(event);
      appendEvent(out, event, clock.wallAt(event.at));
    }
  }

  ExitCode writeSummary(TextBuffer& out) const {
    const bool hasSummary = !m_isJson && m_reportsChanges;
    const ExitCode code = hasSummary ? writeOpenings(out, m_openings, OpeningsFrom::events) : ExitCode::done;
    return code == ExitCode::done ? writeOut({out.data(), out.size()}) : code;
  }

private:
  [[nodiscard]] bool mayMatch(const KernelEvent& event) const {
    const auto matches = [this](const Endpoint& local, const Endpoint& remote) {
      return addressesMayMatch(m_filter.root(), {local, remote, TcpState::unknown, nullptr, Limit::unknown});
    };
    if (matches(event.local, event.remote)) return true;
    // Either end of a dropped packet may be here.
    return event.kind == KernelEventKind::dropped && matches(event.remote, event.local);
  }

  void appendLost(TextBuffer& out, std::uint64_t count, WallTime time) const {
    if (m_isJson) return tcpscope::append(out, lostEventsJsonLine(count, time));
    line(out, "{} events were lost here: more came than are taken", count);
  }

  void appendEvent(TextBuffer& out, const KernelEvent& event, WallTime time) const {
    if (m_isJson) return tcpscope::append(out, toJsonLine(event, time));
    const std::string thread =
        event.thread
            ? fmt::format("{:.15} ({})", event.threadName.empty() ? "-" : forTerminal(event.threadName), *event.thread)
            : std::string("-");
    line(out, kEventLine, timeText(time), title(event.kind), thread,
         fmt::format("{} -> {}", event.local.toString(), event.remote.toString()),
         event.duration ? formatTime(toSeconds(*event.duration)) : std::string("-"),
         event.loss ? "  " + sentence(*event.loss) : std::string());
  }

  void countOpening(const KernelEvent& event) {
    const bool hasFailed = event.kind == KernelEventKind::openingFailed;
    if (event.kind != KernelEventKind::opened && !hasFailed) return;
    ConnectionOpening opening;
    opening.remote = event.remote;
    opening.hasFailed = hasFailed;
    if (!hasFailed) opening.connect = event.duration;
    m_openings.add(opening);
  }

  const ConnectionFilter& m_filter;
  bool m_isJson;
  bool m_reportsChanges;
  OpeningTally m_openings;
};

/// What does not come although it was asked for.
void printUnreported(const EventStream::Reported& reported) {
  const auto print = [](std::string_view what) {
    fmt::print(stderr, "tcpscope-cli: {} are not shown: they cannot be traced here, see 'tcpscope-cli doctor'\n", what);
  };
  if (!reported.changes) print("connections that open and close");
  if (!reported.retransmissions) print("retransmissions");
  if (!reported.drops) print("packets that this host drops");
}

}  // namespace

ExitCode watchEvents(const CommandOptions& options, const ConnectionFilter& filter) {
  const auto place = findLocalPlace(std::nullopt);
  if (!place) return fail(place.error());
  ConnectionLog::ThreadNames names;
  if (!options.noResolve) {
    names = [threads = ProcessReader("/proc")](std::int32_t thread) { return threads.name(thread); };
  }
  const auto stream = EventStream::open(*place, std::move(names));
  if (!stream) return fail(stream.error());
  if (*stream == nullptr) {
    return fail(ExitCode::missingRight,
                "events cannot be traced: that takes root (or CAP_PERFMON, with CAP_DAC_READ_SEARCH for tracefs at "
                "/sys/kernel/tracing, with CAP_BPF for dropped packets), and Linux 4.16; see 'tcpscope-cli doctor'");
  }
  printUnreported((*stream)->reported());
  EventLines lines(options, filter, (*stream)->reported().changes);
  const Interruption interruption;
  TextBuffer out;
  lines.appendHead(out);
  for (std::uint64_t intervals = 0; (!options.count || intervals < *options.count) && !interruption.happened();
       ++intervals) {
    const Moment end = monotonicNow() + options.interval();
    while (monotonicNow() < end && !interruption.happened()) {
      interruption.waitUntil(std::min(end, monotonicNow() + kBetweenWrites));
      lines.append(out, (*stream)->take());
      if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
      out.clear();
    }
  }
  lines.append(out, (*stream)->finish());
  return lines.writeSummary(out);
}

}  // namespace tcpscope
