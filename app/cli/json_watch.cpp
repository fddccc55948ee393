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

struct KnownConnection {
  /// For the line of its end; null beyond the budget.
  std::shared_ptr<const ConnectionDetail> last;
  /// The number of the poll that found it last.
  std::uint64_t poll = 0;
};

/// What earlier lines reported.
struct ReportedSoFar {
  std::map<ConnectionId, KnownConnection> known;
  /// Of the known ones.
  std::size_t details = 0;
  /// Ends reported without figures, by place.
  std::map<PlaceId, std::uint64_t> bareEnds;
  std::map<std::pair<PlaceId, GapKind>, std::uint64_t> gaps;
  Moment lastChange;
};

void appendGaps(OutputParts& out, const Poll& poll, ReportedSoFar& reported) {
  std::vector<CollectionGap> gaps = poll.snapshot->gaps;
  for (const auto& [place, count] : reported.bareEnds) gaps.push_back({place, GapKind::detailBudget, count});
  for (CollectionGap gap : gaps) {
    std::uint64_t& before = reported.gaps[{gap.place, gap.kind}];
    const std::uint64_t all = gap.count;
    gap.count -= std::min(before, all);
    before = all;
    if (gap.count > 0) out.append(toJsonLine(gap, poll.time));
  }
}

void appendChanges(OutputParts& out, const Poll& poll, ReportedSoFar& reported) {
  for (const PlaceChange& change : poll.snapshot->changes) {
    if (change.mark.time <= reported.lastChange) continue;
    out.append(toJsonLine(change.mark, change.place, poll.time));
  }
  if (!poll.snapshot->changes.empty()) reported.lastChange = poll.snapshot->changes.back().mark.time;
}

void appendEnds(OutputParts& out, const Poll& poll, ReportedSoFar& reported, std::uint64_t number) {
  std::erase_if(reported.known, [&](const auto& one) {
    const auto& [id, connection] = one;
    if (connection.poll == number) return false;
    ConnectionDetail bare;
    bare.socket.id = id;
    out.append(toJsonLine(connection.last ? *connection.last : bare, SampleEvent::closed, poll.time));
    connection.last ? --reported.details : ++reported.bareEnds[id.place];
    return true;
  });
}

/// One line per connection: opened, sample or closed.
void appendSamples(OutputParts& out, const Poll& poll, ReportedSoFar& reported, std::uint64_t number) {
  poll.forEachDetail([&](std::shared_ptr<const ConnectionDetail> detail) {
    const auto [found, isNew] = reported.known.try_emplace(detail->socket.id);
    KnownConnection& connection = found->second;
    out.append(toJsonLine(*detail, isNew && number > 0 ? SampleEvent::opened : SampleEvent::sample, poll.time));
    connection.poll = number;
    if (!connection.last && reported.details >= poll.mostDetails) return;
    if (!connection.last) ++reported.details;
    connection.last = std::move(detail);
  });
  appendEnds(out, poll, reported, number);
}

ExitCode writeStream(const NextPoll& nextPoll, std::optional<std::uint64_t> count) {
  ReportedSoFar reported;
  for (std::uint64_t number = 0; !count || number < *count; ++number) {
    const std::optional<Poll> poll = nextPoll();
    if (!poll) break;
    OutputParts out;
    appendSamples(out, *poll, reported, number);
    appendChanges(out, *poll, reported);
    appendGaps(out, *poll, reported);
    if (const ExitCode code = out.finish(); code != ExitCode::done) return code;
  }
  return ExitCode::done;
}

ExitCode writeDocument(const NextPoll& nextPoll, std::optional<std::uint64_t> count) {
  std::optional<Poll> last;
  for (std::uint64_t number = 0; !count || number < *count; ++number) {
    std::optional<Poll> poll = nextPoll();
    if (!poll) break;
    last.emplace(*std::move(poll));
  }
  if (!last) return ExitCode::done;
  const SessionSnapshot& snapshot = *last->snapshot;
  ConnectionsDocumentPieces pieces;
  OutputParts out;
  out.append(pieces.begin({last->time, snapshot.places, snapshot.gaps, snapshot.listeners, {}}));
  last->forEachDetail(
      [&](const std::shared_ptr<const ConnectionDetail>& detail) { out.append(pieces.connection(*detail)); });
  out.append(ConnectionsDocumentPieces::end());
  return out.finish();
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
