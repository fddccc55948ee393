// `tune`: shows, changes and restores the socket options of a live connection.
#include <filesystem>

#include "app/changes/execute/option_changer.h"
#include "app/changes/journal/option_journal.h"
#include "app/cli/change_output.h"
#include "app/cli/changed_place.h"
#include "app/cli/chosen_connection.h"
#include "app/cli/commands.h"
#include "app/cli/connection_output.h"
#include "app/cli/exit_code.h"
#include "app/cli/interruption.h"
#include "app/session/polled_session.h"
#include "app/store/state_folder.h"
#include "collectors/sock_diag/network_namespace.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"
#include "core/present/json/tune_document.h"
#include "core/present/text/tune_text.h"

namespace tcpscope {

namespace {

/// A running transfer that a command observes before and after a change.
class WatchedTransfer {
public:
  /// Or the exit code after printing the error.
  static Expected<WatchedTransfer, ExitCode> open(const LocalPlace& place, ConnectionId connection);

  /// Observes it for this long. False where it was interrupted, the connection ended, or the kernel answers no more.
  bool lookFor(Nanoseconds span, const Interruption& interruption);
  /// The latest snapshot; null before the first poll.
  [[nodiscard]] const std::shared_ptr<const SessionSnapshot>& snapshot() const { return m_snapshot; }
  /// Null where the connection was not seen.
  [[nodiscard]] const ConnectionDetail* detail() const;

private:
  WatchedTransfer(std::unique_ptr<PolledSession> session, ConnectionId connection)
      : m_session(std::move(session)), m_connection(connection) {}

  std::unique_ptr<PolledSession> m_session;
  ConnectionId m_connection;
  std::shared_ptr<const SessionSnapshot> m_snapshot;
};

Expected<WatchedTransfer, ExitCode> WatchedTransfer::open(const LocalPlace& place, ConnectionId connection) {
  LocalSessionSettings settings;
  settings.resolveOwners = false;
  settings.control.focus = connection;
  auto session = PolledSession::open(place, settings);
  if (!session) return Unexpected<ExitCode>(fail(session.error()));
  return WatchedTransfer(std::move(*session), connection);
}

bool WatchedTransfer::lookFor(Nanoseconds span, const Interruption& interruption) {
  constexpr Milliseconds kPollInterval{100};
  const Moment end = monotonicNow() + span;
  Moment next = monotonicNow();
  bool goesOn = true;
  while (goesOn) {
    goesOn = m_session->poll();
    m_snapshot = m_session->tick();
    const ConnectionDetail* seen = detail();
    if (seen == nullptr || seen->row.closed) goesOn = false;
    const Moment now = monotonicNow();
    if (now >= end) break;
    next = std::max(next + kPollInterval, now);
    if (interruption.waitUntil(std::min(next, end)) == Interruption::Wake::interrupted) goesOn = false;
  }
  return goesOn;
}

const ConnectionDetail* WatchedTransfer::detail() const {
  if (!m_snapshot) return nullptr;
  const auto found = m_snapshot->details.find(m_connection);
  return found == m_snapshot->details.end() ? nullptr : found->second.get();
}

struct TuneArguments {
  std::optional<std::string> connection;
  std::vector<std::string> changeWords;
  std::vector<OptionChange> changes;
};

ExitCode codeOf(const TuneError& error) {
  switch (error.kind) {
    case TuneErrorKind::malformedChange:
    case TuneErrorKind::unknownOption:
    case TuneErrorKind::malformedValue:
    case TuneErrorKind::optionTwice:
      return ExitCode::wrongUsage;
    case TuneErrorKind::outOfRange:
    case TuneErrorKind::notKept:
    case TuneErrorKind::atStart:
    case TuneErrorKind::otherSocket:
    case TuneErrorKind::optionNotInKernel:
    case TuneErrorKind::onTrial:
    case TuneErrorKind::interrupted:
      return ExitCode::refused;
    case TuneErrorKind::optionRefused:
      return error.errorNumber == EPERM ? ExitCode::missingRight : ExitCode::refused;
    case TuneErrorKind::gone:
    case TuneErrorKind::nothingToUndo:
    case TuneErrorKind::notOnTrial:
      return ExitCode::notThere;
    case TuneErrorKind::noOwner:
    case TuneErrorKind::notPermitted:
      return ExitCode::missingRight;
    case TuneErrorKind::recordUnreadable:
      return error.errorNumber == 0 ? ExitCode::badInput : ExitCode::systemFailed;
    case TuneErrorKind::notSupported:
    case TuneErrorKind::recordNotWritten:
    case TuneErrorKind::recordNotUpdated:
    case TuneErrorKind::timerFailed:
      return ExitCode::systemFailed;
  }
  return ExitCode::systemFailed;
}

/// What changes this connection, to copy.
std::string tuneCommand(const CommandOptions& options, const SocketObservation& connection) {
  std::string command = fmt::format("tcpscope-cli tune {}", connection.id.toString());
  if (options.networkNamespace) command += " --netns " + forTerminal(forShell(*options.networkNamespace));
  return command;
}

/// The same command with sudo.
std::string asRoot(const CommandOptions& options, const TuneArguments& request, const SocketObservation& connection) {
  std::string command = "sudo " + tuneCommand(options, connection);
  if (options.tune.show) command += " --show";
  if (options.tune.undo) command += " --undo";
  if (options.tune.confirm) command += " --confirm";
  if (options.tune.revertAfterSeconds) command += fmt::format(" --revert-after {:g}", *options.tune.revertAfterSeconds);
  if (options.tune.replaceTrial) command += " --replace-trial";
  for (const std::string& word : request.changeWords) command += " " + word;
  return command;
}

Expected<TuneArguments, ExitCode> argumentsOf(const CommandOptions& options) {
  TuneArguments request;
  for (const std::string& word : options.tune.words) {
    const bool isFirst = !request.connection && request.changeWords.empty();
    if (isFirst && word.find('=') == std::string::npos) {
      request.connection = word;
    } else {
      request.changeWords.push_back(word);
    }
  }
  auto changes = parseOptionChanges(request.changeWords);
  if (!changes) return Unexpected<ExitCode>(fail(codeOf(changes.error()), sentence(changes.error(), {})));
  request.changes = std::move(*changes);
  const bool changesNoOption = options.tune.show || options.tune.undo || options.tune.confirm;
  if (changesNoOption && !request.changes.empty()) {
    return Unexpected<ExitCode>(
        fail(ExitCode::wrongUsage, "--show, --undo and --confirm take no OPTION=VALUE; leave one of the two away"));
  }
  if (!changesNoOption && request.changes.empty()) {
    return Unexpected<ExitCode>(
        fail(ExitCode::wrongUsage, "nothing to do; give OPTION=VALUE, --show, --undo or --confirm"));
  }
  return request;
}

std::filesystem::path namespaceFileOf(const LocalPlace& place) {
  const auto where = place.name.empty() ? std::nullopt : NetworkNamespace::parse(place.name);
  return where ? where->path() : "/proc/self/ns/net";
}

/// Without window scaling the 16-bit field is the limit.
std::optional<std::uint64_t> largestWindowOf(const SocketObservation& connection) {
  const auto options = connection.info.options();
  const auto scale = connection.info.rcvWscale();
  if (!options || !scale) return std::nullopt;
  return largestWindow(options->windowScale() ? static_cast<unsigned>(scale->value()) : 0);
}

Expected<OptionChanger, TuneError> openTuner(const LocalPlace& place, const SocketObservation& connection,
                                             std::int32_t pid) {
  const auto folder = stateFolder("tuned");
  if (!folder) {
    return tl::unexpected(TuneError{TuneErrorKind::recordUnreadable, std::nullopt, ENOENT, UntrustedText("$HOME")});
  }
  auto key = tuneKeyOf(connection, place.place.bootId, namespaceFileOf(place));
  if (!key) return tl::unexpected(key.error());
  // A missing right is reported before the transfer is measured.
  if (const auto socket = openConnection(pid, connection); !socket) return tl::unexpected(socket.error());
  OptionChanger::Parts parts;
  parts.open = [pid, connection] {
    auto socket = openConnection(pid, connection);
    // The process may have ended and left the socket to another one.
    return socket || socket.error().kind != TuneErrorKind::gone ? std::move(socket) : openConnection(connection);
  };
  parts.key = std::move(*key);
  parts.folder = *folder;
  parts.largestWindowBytes = largestWindowOf(connection);
  if (place.place.settings) parts.settings = *place.place.settings;
  parts.inode = connection.inode;
  return OptionChanger(std::move(parts));
}

/// The transfer before the change, if its gain is to be measured.
Expected<std::optional<WatchedTransfer>, ExitCode> measureBefore(const CommandOptions& options, const LocalPlace& place,
                                                                 ConnectionId connection,
                                                                 const Interruption& interruption) {
  if (!options.tune.measureSeconds) return std::nullopt;
  auto transfer = WatchedTransfer::open(place, connection);
  if (!transfer) return Unexpected<ExitCode>(transfer.error());
  if (transfer->lookFor(nanosecondsOf(*options.tune.measureSeconds), interruption)) return std::move(*transfer);
  const bool isOver = !interruption.happened();
  return Unexpected<ExitCode>(
      fail(isOver ? ExitCode::notThere : ExitCode::systemFailed,
           isOver ? "the connection ended before it was changed" : "interrupted before anything was changed"));
}

/// An interruption ends the measurement; the samples up to then are compared.
ChangeProof measureAfter(WatchedTransfer& transfer, double seconds, const Interruption& interruption) {
  ChangeProof proof(*transfer.detail(), transfer.snapshot()->time, Reach::live);
  transfer.lookFor(nanosecondsOf(seconds) + ChangeProof::kSettles, interruption);
  proof.observe(*transfer.snapshot());
  return proof;
}

Expected<TuneReport, TuneError> act(const OptionChanger& tuner, const CommandOptions& options,
                                    const TuneArguments& request) {
  if (options.tune.show) return tuner.show();
  if (options.tune.confirm) return tuner.confirm();
  if (options.tune.undo) return tuner.undo();
  const auto& seconds = options.tune.revertAfterSeconds;
  return tuner.tune(
      request.changes, seconds ? std::optional(nanosecondsOf(*seconds)) : std::nullopt,
      options.tune.replaceTrial ? OptionChanger::RunningTrial::replaced : OptionChanger::RunningTrial::stays);
}

}  // namespace

ExitCode tuneCommand(const CommandOptions& options) {
  const auto request = argumentsOf(options);
  if (!request) return request.error();
  const auto place = findLocalPlace(options.networkNamespace);
  if (!place) return fail(place.error());
  // Also of connections that have ended.
  if (const auto folder = stateFolder("tuned")) settleTrials(*folder, place->place.bootId);
  const auto listing = chooseConnection(options, *place, request->connection);
  if (!listing) return listing.error();
  const SocketObservation& connection = *listing->connections.front();
  const auto failed = [&](const TuneError& error) {
    return fail(codeOf(error), sentence(error, asRoot(options, *request, connection)));
  };

  OwnerLookup lookup;
  const std::array<std::uint32_t, 1> inodes = {connection.inode};
  const OwnerLookup::Owners owners = lookup.lookup(inodes);
  const auto found = owners.find(connection.inode);
  if (found == owners.end()) return failed({missingOwner(connection, lookup)});
  const Owner& owner = *found->second;
  const auto tuner = openTuner(*place, connection, owner.pid);
  if (!tuner) return failed(tuner.error());
  const Interruption interruption;
  auto transfer = measureBefore(options, *place, connection.id, interruption);
  if (!transfer) return transfer.error();
  const auto report = act(*tuner, options, *request);
  if (!report) return failed(report.error());
  if (const auto unit = revertUnitFor(options, options.tune.revertAfterSeconds)) startRevertUnit(*unit);
  std::optional<ChangeProof> proof;
  if (*transfer) proof = measureAfter(**transfer, *options.tune.measureSeconds, interruption);

  TextBuffer out;
  if (options.json) {
    append(out, toJson({place->place, connection, &owner, *report, wallNow(), proof ? &*proof : nullptr}));
  } else {
    const Style style(options.useColor());
    appendTuned(out, connection, &owner, *report, tuneCommand(options, connection), style);
    if (proof) appendProof(out, *proof, style);
  }
  const ExitCode code = writeOut({out.data(), out.size()});
  return code == ExitCode::done && !report->leftAlone.empty() ? ExitCode::refused : code;
}

}  // namespace tcpscope
