// `watch --json` and `watch --json-stream`.
#include <algorithm>
#include <map>

#include "app/cli/commands.h"
#include "app/cli/path_feeding.h"
#include "app/cli/polling.h"
#include "app/cli/text_output.h"
#include "core/present/json/connections_document.h"

namespace tcpscope {

namespace {

using Known = std::map<ConnectionId, std::shared_ptr<const ConnectionDetail>>;

/// What earlier lines reported.
struct Reported {
  Known known;
  std::map<std::pair<PlaceId, GapKind>, std::uint64_t> gaps;
  Moment lastChange;
};

void appendGaps(TextBuffer& out, const Poll& poll, Reported& reported) {
  for (CollectionGap gap : poll.snapshot->gaps) {
    std::uint64_t& before = reported.gaps[{gap.place, gap.kind}];
    const std::uint64_t all = gap.count;
    gap.count -= std::min(before, all);
    before = all;
    if (gap.count > 0) append(out, toJsonLine(gap, poll.time));
  }
}

void appendChanges(TextBuffer& out, const Poll& poll, Reported& reported) {
  for (const PlaceChange& change : poll.snapshot->changes) {
    if (change.mark.time <= reported.lastChange) continue;
    append(out, toJsonLine(change.mark, change.place, poll.time));
  }
  if (!poll.snapshot->changes.empty()) reported.lastChange = poll.snapshot->changes.back().mark.time;
}

/// One line per connection: opened, sample or closed.
void appendSamples(TextBuffer& out, const Poll& poll, Known& known, bool first) {
  Known present;
  for (const auto& detail : poll.details()) {
    const bool isNew = !first && !known.contains(detail->socket.id);
    append(out, toJsonLine(*detail, isNew ? SampleEvent::opened : SampleEvent::sample, poll.time));
    present[detail->socket.id] = detail;
  }
  for (const auto& [id, last] : known) {
    if (!present.contains(id)) append(out, toJsonLine(*last, SampleEvent::closed, poll.time));
  }
  known.swap(present);
}

ExitCode writeStream(const NextPoll& nextPoll, std::optional<std::uint64_t> count) {
  Reported reported;
  for (std::uint64_t number = 0; !count || number < *count; ++number) {
    const std::optional<Poll> poll = nextPoll();
    if (!poll) break;
    TextBuffer out;
    appendSamples(out, *poll, reported.known, number == 0);
    appendChanges(out, *poll, reported);
    appendGaps(out, *poll, reported);
    if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
  }
  return ExitCode::done;
}

ExitCode writeDocument(const NextPoll& nextPoll, std::optional<std::uint64_t> count) {
  std::optional<Poll> last;
  for (std::uint64_t number = 0; !count || number < *count; ++number) {
    const std::optional<Poll> poll = nextPoll();
    if (!poll) break;
    last.emplace(*poll);
  }
  if (!last) return ExitCode::done;
  const SessionSnapshot& snapshot = *last->snapshot;
  return writeOut(toJson({last->time, snapshot.places, snapshot.gaps, snapshot.listeners, last->details()}));
}

/// What the analysis of a living place looks at by default: one interval behind the first poll.
constexpr std::uint64_t kPollsUntilRates = 2;

}  // namespace

ExitCode watchAsJson(const CommandOptions& options, const LocalSessionSettings& settings) {
  LocalSessionSettings feeding = settings;
  feeding.budget.watchesPaths = keepsPathHistory(options);
  return pollConnections(options, feeding, [&](const NextPoll& nextPoll) {
    if (options.form() == OutputForm::jsonStream) return writeStream(nextPoll, options.count);
    const bool isLive = !options.from || options.sshAddress();
    if (options.count || !isLive) return writeDocument(nextPoll, options.count);
    return writeDocument(nextPoll, kPollsUntilRates);
  });
}

}  // namespace tcpscope
