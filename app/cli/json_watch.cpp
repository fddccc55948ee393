#include "app/cli/json_watch.h"

#include <map>

#include "app/cli/interruption.h"
#include "app/cli/text_output.h"
#include "app/remote/polled_agent.h"
#include "app/session/polled_session.h"
#include "app/session/recorded_session.h"
#include "collectors/system/monotonic_clock.h"
#include "core/report/connections_document.h"

namespace tcpscope {

namespace {

struct Look {
  std::shared_ptr<const SessionSnapshot> snapshot;
  WallTime time;
  const AnalysisSession& session;

  [[nodiscard]] std::vector<std::shared_ptr<const ConnectionDetail>> details() const {
    return detailsOf(session, *snapshot);
  }
};
/// Nothing where no further look comes: it was interrupted, or the recording is over.
using NextLook = std::function<std::optional<Look>()>;
using Known = std::map<ConnectionId, std::shared_ptr<const ConnectionDetail>>;

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
  Known known;
  for (std::uint64_t number = 0; !count || number < *count; ++number) {
    const std::optional<Look> look = nextLook();
    if (!look) break;
    TextBuffer out;
    appendSamples(out, *look, known, number == 0);
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

ExitCode watchLooks(const CommandOptions& options, const NextLook& nextLook,
                    std::optional<std::uint64_t> looksOfDocument) {
  if (options.form() == OutputForm::jsonStream) return writeStream(nextLook, options.count);
  return writeDocument(nextLook, options.count ? options.count : looksOfDocument);
}

/// What the analysis of a living place looks at by default: one interval behind the first look.
constexpr std::uint64_t kLooksUntilRates = 2;

ExitCode watchHere(const CommandOptions& options, const LocalSessionSettings& settings) {
  const auto place = findLocalPlace(options.networkNamespace);
  if (!place) return fail(place.error());
  const auto session = PolledSession::open(*place, settings);
  if (!session) return fail(session.error());
  const Interruption interruption;
  Moment due = monotonicNow();
  bool isBroken = false;
  const auto nextLook = [&]() -> std::optional<Look> {
    if (interruption.waitUntil(due) == Interruption::Wake::interrupted) return std::nullopt;
    due = due + options.interval();
    isBroken = !(*session)->poll();
    if (isBroken) return std::nullopt;
    (*session)->askProcesses();
    return Look{(*session)->tick(), wallNow(), (*session)->session()};
  };
  const ExitCode code = watchLooks(options, nextLook, kLooksUntilRates);
  return isBroken ? fail(SystemError{SystemAttempt::listSockets, 0, {}}) : code;
}

ExitCode watchThere(const CommandOptions& options, const LocalSessionSettings& settings, std::string_view address) {
  const auto agent = PolledAgent::reach(address, settings.control, settings.budget);
  if (!agent) return fail(agent.error());
  const Interruption interruption;
  // The owners come behind the first dump.
  int dumps = options.noResolve ? 1 : 2;
  const auto nextLook = [&]() -> std::optional<Look> {
    (*agent)->hear({interruption.wakeDescriptor(), [&] { return interruption.happened(); }},
                   [&](const ObservationBatch& batch) { return batch.dumpEndedAt && --dumps <= 0; });
    // The agent ended, or an interruption came.
    if (dumps > 0) return std::nullopt;
    dumps = 1;
    return Look{(*agent)->session().tick(monotonicNow()), wallNow(), (*agent)->session()};
  };
  return watchLooks(options, nextLook, kLooksUntilRates);
}

ExitCode watchRecording(const CommandOptions& options, const LocalSessionSettings& settings) {
  const auto session = RecordedSession::open(*options.from, settings.control, settings.budget);
  if (!session) return fail(session.error());
  const Interruption interruption;
  Moment due = (*session)->clock().monotonic;
  bool isOver = false;
  const auto nextLook = [&]() -> std::optional<Look> {
    if (isOver || interruption.happened()) return std::nullopt;
    due = due + options.interval();
    isOver = !(*session)->readUntil(due);
    auto snapshot = (*session)->at(due);
    const WallTime time = (*session)->clock().wallAt(snapshot->time);
    return Look{std::move(snapshot), time, (*session)->session()};
  };
  return watchLooks(options, nextLook, std::nullopt);
}

}  // namespace

ExitCode watchAsJson(const CommandOptions& options, const LocalSessionSettings& settings) {
  if (const auto address = options.sshAddress()) return watchThere(options, settings, *address);
  return options.from ? watchRecording(options, settings) : watchHere(options, settings);
}

}  // namespace tcpscope
