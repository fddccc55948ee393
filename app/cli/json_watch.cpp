#include "app/cli/json_watch.h"

#include <algorithm>
#include <map>

#include "app/cli/path_feeding.h"
#include "app/cli/place_looks.h"
#include "app/cli/text_output.h"
#include "core/present/json/connections_document.h"

namespace tcpscope {

namespace {

using Known = std::map<ConnectionId, std::shared_ptr<const ConnectionDetail>>;

/// What was told in earlier lines.
struct Told {
  Known known;
  std::map<std::pair<PlaceId, GapKind>, std::uint64_t> gaps;
  Moment lastChange;
};

void appendGaps(TextBuffer& out, const Look& look, Told& told) {
  for (CollectionGap gap : look.snapshot->gaps) {
    std::uint64_t& before = told.gaps[{gap.place, gap.kind}];
    const std::uint64_t all = gap.count;
    gap.count -= std::min(before, all);
    before = all;
    if (gap.count > 0) append(out, toJsonLine(gap, look.time));
  }
}

void appendChanges(TextBuffer& out, const Look& look, Told& told) {
  for (const PlaceChange& change : look.snapshot->changes) {
    if (change.mark.time <= told.lastChange) continue;
    append(out, toJsonLine(change.mark, change.place, look.time));
  }
  if (!look.snapshot->changes.empty()) told.lastChange = look.snapshot->changes.back().mark.time;
}

/// What each line of the stream is: what came, what went, what is still there.
void appendSamples(TextBuffer& out, const Look& look, Known& known, bool first) {
  Known present;
  for (const auto& detail : look.details()) {
    const bool isNew = !first && !known.contains(detail->socket.id);
    append(out, toJsonLine(*detail, isNew ? SampleEvent::opened : SampleEvent::sample, look.time));
    present[detail->socket.id] = detail;
  }
  for (const auto& [id, last] : known) {
    if (!present.contains(id)) append(out, toJsonLine(*last, SampleEvent::closed, look.time));
  }
  known.swap(present);
}

ExitCode writeStream(const NextLook& nextLook, std::optional<std::uint64_t> count) {
  Told told;
  for (std::uint64_t number = 0; !count || number < *count; ++number) {
    const std::optional<Look> look = nextLook();
    if (!look) break;
    TextBuffer out;
    appendSamples(out, *look, told.known, number == 0);
    appendChanges(out, *look, told);
    appendGaps(out, *look, told);
    if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
  }
  return ExitCode::done;
}

ExitCode writeDocument(const NextLook& nextLook, std::optional<std::uint64_t> count) {
  std::optional<Look> last;
  for (std::uint64_t number = 0; !count || number < *count; ++number) {
    const std::optional<Look> look = nextLook();
    if (!look) break;
    last.emplace(*look);
  }
  if (!last) return ExitCode::done;
  const SessionSnapshot& snapshot = *last->snapshot;
  return writeOut(toJson({last->time, snapshot.places, snapshot.gaps, snapshot.listeners, last->details()}));
}

/// What the analysis of a living place looks at by default: one interval behind the first look.
constexpr std::uint64_t kLooksUntilRates = 2;

}  // namespace

ExitCode watchAsJson(const CommandOptions& options, const LocalSessionSettings& settings) {
  LocalSessionSettings feeding = settings;
  feeding.budget.watchesPaths = keepsPathBook(options);
  return takeLooks(options, feeding, [&](const NextLook& nextLook) {
    if (options.form() == OutputForm::jsonStream) return writeStream(nextLook, options.count);
    const bool isLive = !options.from || options.sshAddress();
    if (options.count || !isLive) return writeDocument(nextLook, options.count);
    return writeDocument(nextLook, kLooksUntilRates);
  });
}

}  // namespace tcpscope
