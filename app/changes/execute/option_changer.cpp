#include "app/changes/execute/option_changer.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>

#include "app/changes/execute/socket_options.h"
#include "app/changes/journal/option_journal.h"
#include "collectors/owner/owner_lookup.h"
#include "collectors/owner/socket_duplicate.h"
#include "collectors/system/monotonic_clock.h"
#include "core/changes/tune_plan.h"
#include "core/host/place.h"

namespace tcpscope {

namespace {

using namespace std::chrono_literals;

constexpr auto kClampWatched = 1s;
constexpr auto kPollInterval = 20ms;

TuneErrorKind kindOf(SocketDuplicateError error) {
  switch (error) {
    case SocketDuplicateError::gone:
      return TuneErrorKind::gone;
    case SocketDuplicateError::notPermitted:
      return TuneErrorKind::notPermitted;
    case SocketDuplicateError::otherSocket:
      return TuneErrorKind::otherSocket;
    case SocketDuplicateError::notSupported:
      return TuneErrorKind::notSupported;
  }
  return TuneErrorKind::gone;
}

Unexpected<TuneError> unreadable(const std::filesystem::path& what, int number) {
  TuneError error{TuneErrorKind::recordUnreadable};
  error.errorNumber = number;
  error.object = UntrustedText(what.string());
  return Unexpected<TuneError>(error);
}

std::string wordOf(const OptionChange& change) {
  const std::string_view name = change.value.name.text();
  return name.empty() ? std::to_string(change.value.number) : std::string(name);
}

Unexpected<TuneError> refused(const OptionChange& change, int number) {
  return Unexpected<TuneError>(
      TuneError{TuneErrorKind::optionRefused, change.option, number, UntrustedText(wordOf(change))});
}

/// The values before the changes; false if one cannot be set.
bool restore(int socket, const TuneRecord& made) {
  bool isWhole = true;
  for (const OptionChange& change : planUndo(made, readSocketOptions(socket)).restore) {
    isWhole = setSocketOption(socket, change) == 0 && isWhole;
  }
  return isWhole;
}

}  // namespace

Expected<OwnedDescriptor, TuneError> openConnection(std::int32_t pid, const SocketObservation& connection) {
  auto socket = duplicateSocket(pid, connection.inode, connection.id.cookie);
  if (!socket) return tl::unexpected(TuneError{kindOf(socket.error())});
  return std::move(*socket);
}

Expected<OwnedDescriptor, TuneError> openConnection(const SocketObservation& connection) {
  OwnerLookup lookup;
  const std::array<std::uint32_t, 1> inodes = {connection.inode};
  const OwnerLookup::Owners owners = lookup.lookup(inodes);
  const auto owner = owners.find(connection.inode);
  if (owner == owners.end()) return tl::unexpected(TuneError{missingOwner(connection, lookup)});
  return openConnection(owner->second->pid, connection);
}

TuneErrorKind missingOwner(const SocketObservation& connection, const OwnerLookup& lookup) {
  const bool isOrphaned = connection.inode == 0 || (lookup.processesNotPermitted() == 0 && geteuid() == 0);
  return isOrphaned ? TuneErrorKind::gone : TuneErrorKind::noOwner;
}

Expected<TuneKey, TuneError> tuneKeyOf(const SocketObservation& connection, std::string bootId,
                                       const std::filesystem::path& namespaceFile) {
  struct stat status {};
  if (stat(namespaceFile.c_str(), &status) != 0) return unreadable(namespaceFile, errno);
  if (!isBootId(bootId)) return unreadable("/proc/sys/kernel/random/boot_id", EINVAL);
  return TuneKey{std::move(bootId), status.st_ino, connection.id.cookie};
}

Expected<TuneReport, TuneError> OptionChanger::show() const {
  auto record = OptionJournal::peek(m_parts.folder, m_parts.key);
  if (record && *record && isOverdue(**record, m_parts.now())) {
    settle();
    record = OptionJournal::peek(m_parts.folder, m_parts.key);
  }
  if (!record) return tl::unexpected(record.error());
  const auto values = read();
  if (!values) return tl::unexpected(values.error());
  TuneReport report;
  report.values = *values;
  report.record = record->value_or(TuneRecord{m_parts.key, {}});
  report.revertsIn = timeLeft(report.record);
  return report;
}

std::optional<Nanoseconds> OptionChanger::timeLeft(const TuneRecord& record) const {
  if (!record.trial) return std::nullopt;
  return std::max(record.trial->deadline - m_parts.now(), Nanoseconds(0));
}

Expected<std::optional<TuneRecord>, TuneError> OptionChanger::settled(const OptionJournal& journal) const {
  auto record = journal.load();
  if (!record || !*record || !isOverdue(**record, m_parts.now())) return record;
  return withoutTrial(journal, std::move(**record));
}

Expected<std::optional<TuneRecord>, TuneError> OptionChanger::withoutTrial(const OptionJournal& journal,
                                                                           TuneRecord record) const {
  TuneRecord after{m_parts.key, {}};
  {
    const auto socket = m_parts.open();
    if (socket) {
      if (!restore(socket->get(), {m_parts.key, record.trial->changed})) return std::optional(std::move(record));
      after.options = record.trial->earlier;
    } else if (socket.error().kind != TuneErrorKind::gone) {
      return std::optional(std::move(record));
    }
  }
  if (const auto stored = journal.store(after); !stored) return tl::unexpected(stored.error());
  return after.options.empty() ? std::optional<TuneRecord>() : std::optional(std::move(after));
}

void OptionChanger::settle() const {
  // Opening creates the folder, which a timer that outlives it must not.
  const auto record = OptionJournal::peek(m_parts.folder, m_parts.key);
  if (record && !*record) return;
  if (const auto journal = OptionJournal::open(m_parts.folder, m_parts.key)) static_cast<void>(settled(*journal));
}

Expected<TuneReport, TuneError> OptionChanger::confirm() const {
  const auto store = OptionJournal::open(m_parts.folder, m_parts.key);
  if (!store) return tl::unexpected(store.error());
  auto record = settled(*store);
  if (!record) return tl::unexpected(record.error());
  if (!*record || !(*record)->trial) return tl::unexpected(TuneError{TuneErrorKind::notOnTrial});
  if (isOverdue(**record, m_parts.now())) return tl::unexpected(TuneError{TuneErrorKind::notOnTrial});
  const TuneTrial trial = *std::exchange((*record)->trial, std::nullopt);
  const auto isUnknown = [](const RecordedOption& option) { return !option.after; };
  if (std::any_of(trial.changed.begin(), trial.changed.end(), isUnknown)) {
    return tl::unexpected(TuneError{TuneErrorKind::interrupted});
  }
  const auto values = read();
  if (!values) return tl::unexpected(values.error());
  if (const auto kept = store->store(**record); !kept) return tl::unexpected(kept.error());
  TuneReport report;
  report.action = TuneAction::confirm;
  report.values = *values;
  report.record = std::move(**record);
  for (const RecordedOption& one : trial.changed) {
    report.changes.push_back({one.option, one.before, *one.after, report.values[one.option]});
  }
  return report;
}

Expected<TuneReport, TuneError> OptionChanger::tune(const std::vector<OptionChange>& wanted,
                                                    std::optional<Nanoseconds> revertAfter,
                                                    RunningTrial running) const {
  const auto store = OptionJournal::open(m_parts.folder, m_parts.key);
  if (!store) return tl::unexpected(store.error());
  auto loaded = settled(*store);
  const bool isOnTrial = loaded && *loaded && (*loaded)->trial;
  if (isOnTrial && running == RunningTrial::replaced) loaded = withoutTrial(*store, std::move(**loaded));
  if (!loaded) return tl::unexpected(loaded.error());
  const TuneRecord earlier = loaded->value_or(TuneRecord{m_parts.key, {}});
  if (earlier.trial) return tl::unexpected(TuneError{TuneErrorKind::onTrial});

  const auto before = read();
  if (!before) return tl::unexpected(before.error());
  for (const OptionChange& change : wanted) {
    if (!(*before)[change.option]) return tl::unexpected(TuneError{TuneErrorKind::optionNotInKernel, change.option});
  }
  const std::vector<OptionChange> changes = completeChanges(wanted, *before);
  const TuneRecord made = recordBefore({m_parts.key, {}}, changes, *before);
  TuneRecord record = recordBefore(earlier, changes, *before);
  // A record cannot have a trial of nothing.
  if (revertAfter && !made.options.empty()) {
    record.trial = TuneTrial{m_parts.now() + *revertAfter, m_parts.inode, made.options, earlier.options};
  }
  // On disk before the first change: whatever ends this program, the way back is known.
  if (const auto kept = store->store(record); !kept) return tl::unexpected(kept.error());
  // Here no duplicate of the socket is open, which the timer would inherit.
  const int failedTimer =
      record.trial ? m_parts.startTimer(record.trial->deadline, [changer = *this] { changer.settle(); }) : 0;
  if (failedTimer != 0) {
    const auto restored = store->store(earlier);
    TuneError error{TuneErrorKind::timerFailed};
    error.errorNumber = failedTimer;
    return tl::unexpected(restored ? error : restored.error());
  }
  const auto after = apply(changes, made);
  if (!after) {
    const auto restored = store->store(earlier);
    return tl::unexpected(restored ? after.error() : restored.error());
  }
  record = recordAfter(std::move(record), *after);
  if (const auto kept = store->store(record); !kept) {
    if (const auto socket = m_parts.open()) static_cast<void>(restore(socket->get(), made));
    return tl::unexpected(kept.error());
  }
  waitForClamp(changes, *after);
  return report(TuneAction::tune, changes, *before, std::move(record));
}

Expected<TuneReport, TuneError> OptionChanger::undo() const {
  const auto store = OptionJournal::open(m_parts.folder, m_parts.key);
  if (!store) return tl::unexpected(store.error());
  // The end of a trial may have been interrupted: its values are back, and would be taken for another program's.
  const auto record = settled(*store);
  if (!record) return tl::unexpected(record.error());
  if (!*record) return tl::unexpected(TuneError{TuneErrorKind::nothingToUndo});

  auto socket = m_parts.open();
  if (!socket) return tl::unexpected(socket.error());
  const OptionValues before = readSocketOptions(socket->get());
  UndoPlan plan = planUndo(**record, before);
  // A change that fails ends it: the record still has all of them, and undoing again goes on from there.
  for (const OptionChange& change : plan.restore) {
    const int number = setSocketOption(socket->get(), change);
    if (number != 0) return refused(change, number);
  }
  socket->reset();
  if (auto kept = store->store(plan.stays); !kept) {
    kept.error().kind = TuneErrorKind::recordNotUpdated;
    return tl::unexpected(kept.error());
  }
  auto done = report(TuneAction::undo, plan.restore, before, std::move(plan.stays));
  if (!done) return done;
  done->leftAlone = std::move(plan.leftAlone);
  for (const SocketOption option : plan.notShrunk) {
    done->notes.push_back({TuneNoteKind::notShrunk, option, done->values.number(option)});
  }
  return done;
}

Expected<OptionValues, TuneError> OptionChanger::read() const {
  const auto socket = m_parts.open();
  if (!socket) return tl::unexpected(socket.error());
  return readSocketOptions(socket->get());
}

Expected<OptionValues, TuneError> OptionChanger::apply(const std::vector<OptionChange>& changes,
                                                       const TuneRecord& made) const {
  const auto socket = m_parts.open();
  if (!socket) return tl::unexpected(socket.error());
  for (const OptionChange& change : changes) {
    const int number = setSocketOption(socket->get(), change);
    if (number == 0) continue;
    static_cast<void>(restore(socket->get(), made));
    return refused(change, number);
  }
  return readSocketOptions(socket->get());
}

void OptionChanger::waitForClamp(const std::vector<OptionChange>& changes, const OptionValues& set) const {
  const bool clamps = std::any_of(changes.begin(), changes.end(), [](const OptionChange& change) {
    return change.option == SocketOption::windowClamp;
  });
  const auto& locks = set[SocketOption::bufferLock];
  if (!clamps || !locks || (locks->number & kReceiveBufferLock) != 0) return;
  const auto isAsSet = [&] {
    const auto socket = m_parts.open();
    return socket && readSocketOption(socket->get(), SocketOption::windowClamp) == set[SocketOption::windowClamp];
  };
  const Moment end = monotonicNow() + kClampWatched;
  while (monotonicNow() < end && isAsSet()) std::this_thread::sleep_for(kPollInterval);
}

Expected<TuneReport, TuneError> OptionChanger::report(TuneAction action, const std::vector<OptionChange>& changes,
                                                      const OptionValues& before, TuneRecord record) const {
  const auto values = read();
  if (!values) return tl::unexpected(values.error());
  TuneReport report;
  report.action = action;
  report.values = *values;
  report.record = std::move(record);
  report.revertsIn = timeLeft(report.record);
  for (const OptionChange& change : changes) {
    report.changes.push_back(
        {change.option, before[change.option], valueToRead(change.option, change.value), report.values[change.option]});
  }
  report.notes = notesOn({report.changes, before, report.values, m_parts.largestWindowBytes, m_parts.settings,
                          action == TuneAction::undo});
  return report;
}

void settleTrials(const std::filesystem::path& folder, const std::string& bootId) {
  for (const TuneRecord& record : OptionJournal::overdue(folder, bootId, bootTime())) {
    SocketObservation connection;
    connection.id.cookie = record.key.cookie;
    connection.inode = record.trial->inode;
    OptionChanger::Parts parts;
    parts.open = [connection] { return openConnection(connection); };
    parts.key = record.key;
    parts.folder = folder;
    OptionChanger(std::move(parts)).settle();
  }
}

}  // namespace tcpscope
