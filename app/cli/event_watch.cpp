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
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

constexpr const char* kEventLine = "{:<29}  {:<14}  {:<24}  {:<45}  {}";
constexpr Nanoseconds kBetweenWrites = std::chrono::milliseconds(100);

std::string title(KernelEventKind kind) {
  std::string text(name(kind));
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

class EventLines {
public:
  EventLines(const CommandOptions& options, const ConnectionFilter& filter)
      : m_filter(filter), m_isJson(options.form() == OutputForm::jsonStream) {}

  void appendHead(TextBuffer& out) const {
    if (!m_isJson) line(out, kEventLine, "TIME", "EVENT", "THREAD", "CONNECTION", "DURATION");
  }

  void append(TextBuffer& out, const EventStream::Events& taken) {
    // The wall clock may have been set since.
    const ClockPair clock = clockPairNow();
    if (taken.lost > 0) appendLost(out, taken.lost, clock.wall);
    for (const KernelEvent& event : taken.events) {
      const FilterSubject subject(event.local, event.remote, TcpState::unknown, nullptr, Limit::unknown);
      if (!addressesMayMatch(m_filter.root(), subject)) continue;
      countOpening(event);
      appendEvent(out, event, clock.wallAt(event.at));
    }
  }

  ExitCode writeSummary(TextBuffer& out) const {
    const ExitCode code = m_isJson ? ExitCode::done : writeOpenings(out, m_openings, OpeningsFrom::events);
    return code == ExitCode::done ? writeOut({out.data(), out.size()}) : code;
  }

private:
  void appendLost(TextBuffer& out, std::uint64_t count, WallTime time) const {
    if (m_isJson) return tcpscope::append(out, lostEventsJsonLine(count, time));
    line(out, "{} events were lost here: a buffer was full", count);
  }

  void appendEvent(TextBuffer& out, const KernelEvent& event, WallTime time) const {
    if (m_isJson) return tcpscope::append(out, toJsonLine(event, time));
    const std::string thread =
        event.thread
            ? fmt::format("{:.15} ({})", event.threadName.empty() ? "-" : forTerminal(event.threadName), *event.thread)
            : std::string("-");
    line(out, kEventLine, timeText(time), title(event.kind), thread,
         fmt::format("{} -> {}", event.local.toString(), event.remote.toString()),
         event.duration ? formatTime(toSeconds(*event.duration)) : std::string("-"));
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
  OpeningTally m_openings;
};

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
    return fail(
        ExitCode::missingRight,
        "changes of state cannot be traced: that takes root (or CAP_PERFMON and CAP_DAC_READ_SEARCH), tracefs at "
        "/sys/kernel/tracing, and Linux 4.16");
  }
  if (!(*stream)->reportsRetransmissions()) {
    fmt::print(stderr, "tcpscope-cli: retransmissions are not shown: they cannot be traced here\n");
  }
  EventLines lines(options, filter);
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
