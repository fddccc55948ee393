#include "app/cli/event_watch.h"

#include <algorithm>

#include "app/cli/connection_output.h"
#include "app/cli/interruption.h"
#include "app/cli/text_output.h"
#include "app/session/event_stream.h"
#include "collectors/owner/process_reader.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"
#include "core/filter/filter_evaluator.h"
#include "core/present/json/event_document.h"
#include "core/present/text/quantity_text.h"
#include "core/session/capture/destination_openings.h"

namespace tcpscope {

namespace {

constexpr const char* kEventLine = "{:<29}  {:<14}  {:<24}  {:<45}  {}";
constexpr Nanoseconds kBetweenWrites = std::chrono::milliseconds(100);

std::string_view title(KernelEventKind kind) {
  switch (kind) {
    case KernelEventKind::opened:
      return "opened";
    case KernelEventKind::accepted:
      return "accepted";
    case KernelEventKind::openingFailed:
      return "opening failed";
    case KernelEventKind::closed:
      return "closed";
    case KernelEventKind::retransmitted:
      return "retransmission";
  }
  return "";
}

class EventLines {
public:
  EventLines(const CommandOptions& options, const ConnectionFilter& filter)
      : m_filter(filter),
        m_isJson(options.form() == OutputForm::jsonStream),
        m_resolves(!options.noResolve),
        m_clock(clockPairNow()) {}

  void appendHead(TextBuffer& out) const {
    if (!m_isJson) line(out, kEventLine, "TIME", "EVENT", "THREAD", "CONNECTION", "AFTER");
  }

  void append(TextBuffer& out, const KernelEvent& event) {
    const FilterSubject subject(event.local, event.remote, TcpState::unknown, nullptr, Limit::unknown);
    if (!addressesMayMatch(m_filter.root(), subject)) return;
    if (event.kind == KernelEventKind::opened || event.kind == KernelEventKind::openingFailed) count(event);
    const WallTime time = m_clock.wallAt(event.at);
    const auto process = processOf(event);
    if (m_isJson) return appendText(out, toJsonLine(event, process, time));
    const std::string thread = event.thread
                                   ? fmt::format("{:.15} ({})", process ? forTerminal(*process) : "-", *event.thread)
                                   : std::string("-");
    line(out, kEventLine, timeText(time), title(event.kind), thread,
         fmt::format("{} -> {}", event.local.toString(), event.remote.toString()),
         event.duration ? formatTime(toSeconds(*event.duration)) : std::string("-"));
  }

  void appendLost(TextBuffer& out, std::uint64_t count) const {
    if (m_isJson) return appendText(out, lostEventsJsonLine(count, wallNow()));
    line(out, "{} events were lost here: more came than could be taken in", count);
  }

  /// How long connections took to open, a line for each destination.
  void appendOpenings(TextBuffer& out) const {
    constexpr std::size_t kMostRows = 20;
    const std::vector<DestinationOpenings> openings = m_openings.worstFirst();
    if (m_isJson || openings.empty()) return;
    constexpr const char* kOpenings = "{:<45}  {:>8}  {:>8}  {:>14}  {:>9}  {:>9}";
    out.push_back('\n');
    line(out, kOpenings, "DESTINATION", "OPENED", "FAILED", "CONNECT MEDIAN", "95 %", "MAX");
    for (std::size_t row = 0; row < std::min(openings.size(), kMostRows); ++row) {
      const DestinationOpenings& one = openings[row];
      const auto text = [&](Nanoseconds RttSummary::*part) {
        return one.connect ? formatTime(toSeconds((*one.connect).*part)) : std::string("-");
      };
      line(out, kOpenings, one.remote.toString(), one.opened, one.failed, text(&RttSummary::median),
           text(&RttSummary::p95), text(&RttSummary::max));
    }
    if (openings.size() > kMostRows) line(out, "{} more destinations", openings.size() - kMostRows);
    if (m_openings.leftOut() > 0) line(out, "{} connections to further destinations", m_openings.leftOut());
  }

private:
  static void appendText(TextBuffer& out, std::string_view text) { out.append(text); }

  void count(const KernelEvent& event) {
    ConnectionOpening opening;
    opening.remote = event.remote;
    opening.hasFailed = event.kind == KernelEventKind::openingFailed;
    if (!opening.hasFailed) opening.connect = event.duration;
    m_openings.add(opening);
  }

  [[nodiscard]] std::optional<UntrustedText> processOf(const KernelEvent& event) const {
    if (!m_resolves || !event.thread) return std::nullopt;
    UntrustedText name = m_processes.name(*event.thread);
    return name.empty() ? std::nullopt : std::optional(std::move(name));
  }

  const ConnectionFilter& m_filter;
  bool m_isJson;
  bool m_resolves;
  ClockPair m_clock;
  ProcessReader m_processes{"/proc"};
  OpeningTally m_openings;
};

}  // namespace

ExitCode watchEvents(const CommandOptions& options, const ConnectionFilter& filter) {
  const auto place = findLocalPlace(options.networkNamespace);
  if (!place) return fail(place.error());
  const auto stream = EventStream::open(*place);
  if (!stream) return fail(stream.error());
  if (*stream == nullptr) {
    return fail(
        ExitCode::missingRight,
        "the kernel reports events of connections to root alone, by way of tracefs (mounted at /sys/kernel/tracing)");
  }
  EventLines lines(options, filter);
  const Interruption interruption;
  TextBuffer out;
  lines.appendHead(out);
  for (std::uint64_t intervals = 0; !options.count || intervals < *options.count; ++intervals) {
    const Moment end = monotonicNow() + options.interval();
    while (monotonicNow() < end && !interruption.happened()) {
      interruption.waitUntil(std::min(end, monotonicNow() + kBetweenWrites));
      const EventStream::Events taken = (*stream)->take();
      if (taken.lost > 0) lines.appendLost(out, taken.lost);
      for (const KernelEvent& event : taken.events) lines.append(out, event);
      if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
      out.clear();
    }
    if (interruption.happened()) break;
  }
  lines.appendOpenings(out);
  return writeOut({out.data(), out.size()});
}

}  // namespace tcpscope
