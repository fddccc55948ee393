#include "app/changes/execute/option_changer.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "app/changes/execute/socket_options.h"
#include "app/changes/journal/option_journal.h"
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

}  // namespace

Expected<OwnedDescriptor, TuneError> openConnection(std::int32_t pid, const SocketObservation& connection) {
  auto socket = duplicateSocket(pid, connection.inode, connection.id.cookie);
  if (!socket) return tl::unexpected(TuneError{kindOf(socket.error())});
  return std::move(*socket);
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
  if (!record) return tl::unexpected(record.error());
  TuneReport report;
  report.values = readSocketOptions(m_parts.socket.get());
  report.record = record->value_or(TuneRecord{m_parts.key, {}});
  return report;
}

Expected<TuneReport, TuneError> OptionChanger::tune(const std::vector<OptionChange>& wanted) const {
  const auto store = OptionJournal::open(m_parts.folder, m_parts.key);
  if (!store) return tl::unexpected(store.error());
  const auto loaded = store->load();
  if (!loaded) return tl::unexpected(loaded.error());
  const TuneRecord earlier = loaded->value_or(TuneRecord{m_parts.key, {}});

  const OptionValues before = readSocketOptions(m_parts.socket.get());
  for (const OptionChange& change : wanted) {
    if (!before[change.option]) return tl::unexpected(TuneError{TuneErrorKind::optionNotInKernel, change.option});
  }
  const std::vector<OptionChange> changes = completeChanges(wanted, before);
  const TuneRecord made = recordBefore({m_parts.key, {}}, changes, before);
  TuneRecord record = recordBefore(earlier, changes, before);
  // On disk before the first change: whatever ends this program, the way back is known.
  if (const auto kept = store->store(record); !kept) return tl::unexpected(kept.error());
  if (const auto failed = apply(changes, made)) {
    const auto restored = store->store(earlier);
    return tl::unexpected(restored ? *failed : restored.error());
  }
  record = recordAfter(std::move(record), readSocketOptions(m_parts.socket.get()));
  if (const auto kept = store->store(record); !kept) {
    restore(made);
    return tl::unexpected(kept.error());
  }
  waitForClamp(changes);
  return report(TuneAction::tune, changes, before, std::move(record));
}

Expected<TuneReport, TuneError> OptionChanger::undo() const {
  const auto store = OptionJournal::open(m_parts.folder, m_parts.key);
  if (!store) return tl::unexpected(store.error());
  const auto record = store->load();
  if (!record) return tl::unexpected(record.error());
  if (!*record) return tl::unexpected(TuneError{TuneErrorKind::nothingToUndo});

  const OptionValues before = readSocketOptions(m_parts.socket.get());
  UndoPlan plan = planUndo(**record, before);
  // A change that fails ends it: the record still has all of them, and undoing again goes on from there.
  for (const OptionChange& change : plan.restore) {
    const int number = setSocketOption(m_parts.socket.get(), change);
    if (number == 0) continue;
    return tl::unexpected(
        TuneError{TuneErrorKind::optionRefused, change.option, number, UntrustedText(wordOf(change))});
  }
  if (const auto kept = store->store(plan.stays); !kept) return tl::unexpected(kept.error());
  TuneReport done = report(TuneAction::undo, plan.restore, before, std::move(plan.stays));
  done.leftAlone = std::move(plan.leftAlone);
  return done;
}

void OptionChanger::restore(const TuneRecord& made) const {
  for (const OptionChange& change : planUndo(made, readSocketOptions(m_parts.socket.get())).restore) {
    setSocketOption(m_parts.socket.get(), change);
  }
}

std::optional<TuneError> OptionChanger::apply(const std::vector<OptionChange>& changes, const TuneRecord& made) const {
  for (const OptionChange& change : changes) {
    const int number = setSocketOption(m_parts.socket.get(), change);
    if (number == 0) continue;
    restore(made);
    return TuneError{TuneErrorKind::optionRefused, change.option, number, UntrustedText(wordOf(change))};
  }
  return std::nullopt;
}

void OptionChanger::waitForClamp(const std::vector<OptionChange>& changes) const {
  const bool clamps = std::any_of(changes.begin(), changes.end(), [](const OptionChange& change) {
    return change.option == SocketOption::windowClamp;
  });
  const int socket = m_parts.socket.get();
  const auto locks = readSocketOption(socket, SocketOption::bufferLock);
  if (!clamps || !locks || (locks->number & kReceiveBufferLock) != 0) return;
  const auto set = readSocketOption(socket, SocketOption::windowClamp);
  const Moment end = monotonicNow() + kClampWatched;
  while (monotonicNow() < end && readSocketOption(socket, SocketOption::windowClamp) == set) {
    std::this_thread::sleep_for(kPollInterval);
  }
}

TuneReport OptionChanger::report(TuneAction action, const std::vector<OptionChange>& changes,
                                 const OptionValues& before, TuneRecord record) const {
  TuneReport report;
  report.action = action;
  report.values = readSocketOptions(m_parts.socket.get());
  report.record = std::move(record);
  for (const OptionChange& change : changes) {
    report.changes.push_back(
        {change.option, before[change.option], valueToRead(change.option, change.value), report.values[change.option]});
  }
  report.notes = notesOn({report.changes, before, report.values, m_parts.largestWindowBytes, m_parts.settings});
  return report;
}

}  // namespace tcpscope
