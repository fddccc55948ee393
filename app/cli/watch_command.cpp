// `watch`: the live table, redrawn in place on a terminal, one table an interval elsewhere.
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "app/cli/capture_refusal.h"
#include "app/cli/captured_list.h"
#include "app/cli/commands.h"
#include "app/cli/connection_output.h"
#include "app/cli/ended_connections.h"
#include "app/cli/event_watch.h"
#include "app/cli/host_silence.h"
#include "app/cli/interruption.h"
#include "app/cli/path_feeding.h"
#include "app/cli/polling.h"
#include "app/cli/text_output.h"
#include "app/cli/trigger_watch.h"
#include "app/remote/agents_session.h"
#include "app/remote/started_agent.h"
#include "app/session/replay_session.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/rtt_text.h"
#include "core/present/text/source_text.h"

namespace tcpscope {

namespace {

/// Keys arrive one by one and unseen, the table has a screen of its own; both end with the object.
class LiveScreen {
public:
  explicit LiveScreen(bool keys) : m_keys(keys && tcgetattr(STDIN_FILENO, &m_before) == 0) {
    if (m_keys) {
      termios raw = m_before;
      raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
      tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }
    writeOut("\x1b[?1049h\x1b[?25l");
  }
  ~LiveScreen() {
    writeOut("\x1b[?25h\x1b[?1049l");
    if (m_keys) tcsetattr(STDIN_FILENO, TCSANOW, &m_before);
  }
  LiveScreen(const LiveScreen&) = delete;
  LiveScreen& operator=(const LiveScreen&) = delete;

  [[nodiscard]] int keyDescriptor() const { return m_keys ? STDIN_FILENO : -1; }
  [[nodiscard]] static winsize size() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) size = {24, 80, 0, 0};
    return size;
  }

private:
  termios m_before{};
  bool m_keys;
};

std::string limitText(const ConnectionRow& row) {
  if (row.closed) return "closed";
  if (!hasShare(row.limit)) return std::string(shortName(row.limit));
  const unsigned percent = row.limits.percent[static_cast<std::size_t>(row.limit)];
  if (row.limit == Limit::unknown || percent == 0) return std::string(shortName(row.limit));
  return fmt::format("{} {} %", shortName(row.limit), percent);
}

void addRow(TextTable& table, const SessionSnapshot& snapshot, const ConnectionRow& row, bool withOwners) {
  const auto cell = [&](std::string_view text) {
    append(table.cell(), text);
    table.endCell();
  };
  if (snapshot.places.size() > 1) cell(namespaceText(snapshot.places, row.id.place));
  if (withOwners) {
    const Owner* owner = snapshot.owner(row);
    cell(owner == nullptr ? std::string("-") : fmt::format("{} ({})", forTerminal(owner->processName), owner->pid));
  }
  cell(row.local.toString());
  cell(row.remote.toString());
  cell(name(row.state));
  cell(rateText(row.sendRateBps));
  cell(rateText(row.receiveRateBps));
  cell(std::isnan(row.rttUs) ? "-" : rttText(static_cast<double>(row.rttUs) * 1e-6, row.isRttOld));
  cell(std::isnan(row.retransmittedRatio) ? "-" : formatRatio(static_cast<double>(row.retransmittedRatio)));
  cell(limitText(row));
}

void appendTable(TextBuffer& out, const SessionSnapshot& snapshot, bool withOwners, std::size_t width,
                 std::size_t height) {
  std::vector<Column> columns;
  // Rates, RTT, retransmissions and the limit stay.
  if (snapshot.places.size() > 1) columns.push_back({.title = "NETNS", .least = 6, .goes = 4});
  if (withOwners) columns.push_back({.title = "PROCESS", .least = 8, .goes = 3});
  columns.push_back({.title = "LOCAL", .least = 10, .goes = 1});
  columns.push_back({.title = "REMOTE", .least = 13});
  columns.push_back({.title = "STATE", .goes = 2});
  for (const std::string_view title : {"TX RATE", "RX RATE", "RTT", "RETRANS"}) columns.push_back({title, true});
  columns.push_back({"LIMITED BY"});
  TextTable table(std::move(columns));
  for (const std::uint32_t slot : *snapshot.order) {
    if (table.rows() + 1 >= height) break;
    addRow(table, snapshot, snapshot.row(slot), withOwners);
  }
  table.print(out, width);
}

std::string statusLine(const SessionSnapshot& snapshot, const HostSilence* silence) {
  const std::string silent = silence == nullptr ? std::string() : silence->text(monotonicNow());
  return fmt::format("{}{} of {} connections, {} listeners   q quits", silent.empty() ? silent : silent + "; ",
                     snapshot.order->size(), snapshot.totalRows, snapshot.listeners.size());
}

void redraw(const SessionSnapshot& snapshot, bool withOwners, const HostSilence* silence) {
  const winsize size = LiveScreen::size();
  TextBuffer text;
  append(text, statusLine(snapshot, silence));
  text.push_back('\n');
  std::size_t lines = 1;
  // Whole once the screen is the shell's again.
  if (const std::string lost = incompleteText(snapshot.gaps); !lost.empty()) {
    append(text, std::string_view(lost).substr(0, size.ws_col));
    text.push_back('\n');
    ++lines;
  }
  appendTable(text, snapshot, withOwners, size.ws_col, std::max<std::size_t>(size.ws_row, lines) - lines);
  TextBuffer out;
  append(out, "\x1b[H");
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool last = i + 1 == text.size();
    if (text[i] == '\n') append(out, last ? "\x1b[K" : "\x1b[K\n");
    if (text[i] != '\n') out.push_back(text[i]);
  }
  append(out, "\x1b[J");
  writeOut({out.data(), out.size()});
}

/// Where a recording ends, nothing is left to count.
using IsOver = std::function<bool()>;

ExitCode watchOnTerminal(const CommandOptions& options, SessionPort& session, const Interruption& interruption,
                         const IsOver& isOver, HostSilence* silence) {
  const LiveScreen screen(isatty(STDIN_FILENO) == 1);
  std::uint64_t drawn = 0;
  std::uint64_t shown = 0;
  while (!interruption.happened()) {
    const auto snapshot = session.latest();
    const bool isNewlySilent = silence != nullptr && silence->news(monotonicNow());
    if (snapshot && (snapshot->number != shown || isNewlySilent)) {
      shown = snapshot->number;
      redraw(*snapshot, !options.noResolve, silence);
      if (options.count && ++drawn >= *options.count) break;
    }
    if (options.count && isOver && isOver()) break;
    const auto wake = interruption.waitUntil(monotonicNow() + Milliseconds(100), screen.keyDescriptor());
    if (wake != Interruption::Wake::key) continue;
    char key = 0;
    if (::read(STDIN_FILENO, &key, 1) <= 0 || key == 'q') break;
  }
  return ExitCode::done;
}

/// Tables one below the other, the first after a whole interval, so that rates are known.
ExitCode watchOnPipe(const CommandOptions& options, SessionPort& session, const Interruption& interruption,
                     HostSilence* silence) {
  Moment next = monotonicNow() + options.interval();
  Moment shown;
  for (std::uint64_t printed = 0; !options.count || printed < *options.count; ++printed) {
    const bool interrupted = interruption.waitUntil(next) == Interruption::Wake::interrupted;
    next = next + options.interval();
    if (const auto news = silence == nullptr ? std::nullopt : silence->news(monotonicNow())) {
      fmt::print(stderr, "tcpscope-cli: {}\n", *news);
    }
    const auto snapshot = session.latest();
    if (snapshot) {
      TextBuffer out;
      appendTable(out, *snapshot, !options.noResolve, SIZE_MAX, SIZE_MAX);
      out.push_back('\n');
      if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
    }
    // A recording's time stands still where it ends.
    if (interrupted || (options.from && snapshot && snapshot->time == shown)) break;
    if (snapshot) shown = snapshot->time;
  }
  return ExitCode::done;
}

ExitCode watchText(const CommandOptions& options, SessionPort& session, const Interruption& interruption,
                   const IsOver& isOver = {}, HostSilence* silence = nullptr) {
  const ExitCode code = isatty(STDOUT_FILENO) == 1 ? watchOnTerminal(options, session, interruption, isOver, silence)
                                                   : watchOnPipe(options, session, interruption, silence);
  if (const auto snapshot = session.latest()) reportGaps(snapshot->gaps);
  return code;
}

ExitCode watchRecording(const CommandOptions& options, const ConnectionFilter& filter) {
  auto session = openReplay(*options.from, pollingSettings(options, filter).control);
  if (!session) return fail(session.error());
  const Interruption interruption;
  return watchText(options, **session, interruption,
                   [&] { return (*session)->position().motion == ReplayMotion::stands; });
}

ExitCode watchThere(const CommandOptions& options, const ConnectionFilter& filter, std::string_view address) {
  const auto agent = StartedAgent::startBySsh(address, SshManner::asking, options.means);
  if (!agent) return fail(agent.error());
  AgentsSessionSettings settings;
  settings.control = pollingSettings(options, filter).control;
  settings.budget = forCommandOverHost({});
  settings.timeout = std::chrono::seconds(60);
  HostSilence silence(std::string(address), options.interval(), clockPairNow());
  settings.onSample = [&silence] { silence.heard(clockPairNow()); };
  const auto session = openAgentsSession({(*agent)->pipes()}, settings);
  if (!session) return fail((*agent)->reasonOf(session.error()));
  silence.heard(clockPairNow());
  const Interruption interruption;
  return watchText(options, **session, interruption, {}, &silence);
}

}  // namespace

ExitCode watchCommand(const CommandOptions& options) {
  if (!options.trigger.empty() || options.ended) {
    if (const auto refused = refuseCapture(options)) return *refused;
  }
  if (!options.trigger.empty()) return watchTrigger(options);
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  if (options.ended) return watchEnded(options, *filter);
  // It is over: what it shows at its end.
  if (const auto listed = listCapture(options, *filter)) return *listed;
  if (options.events) return watchEvents(options, *filter);
  if (options.form() != OutputForm::text) return watchAsJson(options, pollingSettings(options, *filter));
  if (const auto address = options.sshAddress()) return watchThere(options, *filter, *address);
  if (options.from) return watchRecording(options, *filter);
  const auto place = findLocalPlace(options.networkNamespace);
  if (!place) return fail(place.error());
  PathFeeding paths(options, place->place);
  LocalSessionSettings settings = pollingSettings(options, *filter);
  settings.paths = paths.sink();
  const auto session = openLocalSession(*place, settings);
  if (!session) return fail(session.error());
  const Interruption interruption;
  return watchText(options, **session, interruption);
}

}  // namespace tcpscope
