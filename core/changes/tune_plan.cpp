#include "core/changes/tune_plan.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// The lock of the buffer that the option belongs to.
std::uint64_t lockOf(SocketOption option) {
  switch (option) {
    case SocketOption::sendBuffer:
      return kSendBufferLock;
    case SocketOption::receiveBuffer:
    case SocketOption::windowClamp:
      return kReceiveBufferLock;
    default:
      return 0;
  }
}

/// Whether autotuning changes it.
bool isAutomatic(SocketOption option, std::uint64_t locks) {
  const std::uint64_t lock = lockOf(option);
  return lock != 0 && (locks & lock) == 0;
}

const OptionChange* find(const std::vector<OptionChange>& changes, SocketOption option) {
  const auto found =
      std::find_if(changes.begin(), changes.end(), [option](const OptionChange& one) { return one.option == option; });
  return found == changes.end() ? nullptr : &*found;
}

std::vector<SocketOption> touchedBy(const std::vector<OptionChange>& changes, const OptionValues& now) {
  std::vector<SocketOption> touched;
  const auto touch = [&](SocketOption option) {
    if (now[option] && std::find(touched.begin(), touched.end(), option) == touched.end()) touched.push_back(option);
  };
  for (const OptionChange& change : changes) {
    touch(change.option);
    if (isBufferSize(change.option)) touch(SocketOption::bufferLock);
    if (change.option != SocketOption::bufferLock) continue;
    const std::uint64_t turned = change.value.number ^ now.number(SocketOption::bufferLock);
    if ((turned & kSendBufferLock) != 0) touch(SocketOption::sendBuffer);
    if ((turned & kReceiveBufferLock) != 0) touch(SocketOption::receiveBuffer);
  }
  return touched;
}

/// The locks of the two buffers before the change, after it, and now.
struct Locks {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
  std::uint64_t now = 0;

  static Locks of(const TuneRecord& record, const OptionValues& values) {
    const std::uint64_t now = values.number(SocketOption::bufferLock);
    const RecordedOption* entry = record.find(SocketOption::bufferLock);
    if (entry == nullptr) return {now, now, now};
    return {entry->before.number, entry->after ? entry->after->number : now, now};
  }
};

bool isChangedByOthers(const RecordedOption& entry, const Locks& locks, const OptionValues& now) {
  if (!now[entry.option]) return true;
  if (!entry.after || isAutomatic(entry.option, locks.after)) return false;
  // Already restored by an interrupted revert.
  if (*now[entry.option] == entry.before) return false;
  return *now[entry.option] != *entry.after;
}

class UndoPlanner {
public:
  UndoPlanner(const TuneRecord& record, const OptionValues& now)
      : m_record(record), m_now(now), m_locks(Locks::of(record, now)) {
    m_plan.stays.key = record.key;
  }

  UndoPlan plan() {
    findForeignSides();
    for (const RecordedOption& entry : m_record.options) {
      if (entry.option != SocketOption::bufferLock) planOption(entry);
    }
    planLocks();
    return std::move(m_plan);
  }

private:
  /// A buffer whose size or lock another program changed is left alone as a whole.
  void findForeignSides() {
    for (const RecordedOption& entry : m_record.options) {
      if (!isBufferSize(entry.option)) continue;
      const std::uint64_t lock = lockOf(entry.option);
      m_sides |= lock;
      // A size that the kernel tunes again is not shrunk: also after a revert that was interrupted before its record.
      const bool isTunedAgain =
          isAutomatic(entry.option, m_locks.before) && m_now.number(entry.option) >= entry.before.number;
      const bool isBack =
          ((m_locks.now ^ m_locks.before) & lock) == 0 && (m_now[entry.option] == entry.before || isTunedAgain);
      const bool lockTurned = ((m_locks.now ^ m_locks.after) & lock) != 0;
      if (isChangedByOthers(entry, m_locks, m_now) || (lockTurned && !isBack)) m_foreign |= lock;
    }
  }

  [[nodiscard]] bool isForeign(const RecordedOption& entry) const {
    if (isBufferSize(entry.option)) return (m_foreign & lockOf(entry.option)) != 0;
    return isChangedByOthers(entry, m_locks, m_now);
  }

  void planOption(const RecordedOption& entry) {
    if (isForeign(entry)) {
      m_plan.leftAlone.push_back(entry);
      m_plan.stays.options.push_back(entry);
      return;
    }
    const std::uint64_t now = m_now.number(entry.option);
    // An autotuned size was not requested by any program: it is only restored if it is smaller now.
    const bool wasAutomatic = isAutomatic(entry.option, m_locks.before);
    const bool differs = wasAutomatic ? now < entry.before.number : m_now[entry.option] != entry.before;
    if (wasAutomatic && isBufferSize(entry.option) && now > entry.before.number) {
      m_plan.notShrunk.push_back(entry.option);
    }
    if (!differs) return;
    m_plan.restore.push_back({entry.option, valueToSet(entry.option, entry.before)});
    if (isBufferSize(entry.option)) m_lockedByRestoring |= lockOf(entry.option);
  }

  void planLocks() {
    const RecordedOption* entry = m_record.find(SocketOption::bufferLock);
    if (entry == nullptr) return;
    const std::uint64_t ours = m_sides & ~m_foreign;
    const std::uint64_t wanted = (m_locks.now & ~ours) | (m_locks.before & ours);
    if (wanted != (m_locks.now | m_lockedByRestoring)) {
      m_plan.restore.push_back({SocketOption::bufferLock, OptionValue{wanted, {}}});
    }
    if (m_foreign != 0) m_plan.stays.options.push_back(*entry);
  }

  const TuneRecord& m_record;
  const OptionValues& m_now;
  Locks m_locks;
  UndoPlan m_plan;
  /// Recorded buffers, those of them that another program changed, and those that restoring their size locks.
  std::uint64_t m_sides = 0;
  std::uint64_t m_foreign = 0;
  std::uint64_t m_lockedByRestoring = 0;
};

}  // namespace

std::vector<OptionChange> completeChanges(std::vector<OptionChange> wanted, const OptionValues& now) {
  const bool clamps = find(wanted, SocketOption::windowClamp) != nullptr;
  const bool saysLocks = find(wanted, SocketOption::bufferLock) != nullptr;
  std::uint64_t locks = now.number(SocketOption::bufferLock);
  for (const OptionChange& change : wanted) {
    if (isBufferSize(change.option)) locks |= lockOf(change.option);
  }
  if (clamps && !saysLocks && now[SocketOption::bufferLock] && (locks & kReceiveBufferLock) == 0) {
    wanted.push_back({SocketOption::bufferLock, OptionValue{locks | kReceiveBufferLock, {}}});
  }
  std::stable_partition(wanted.begin(), wanted.end(),
                        [](const OptionChange& change) { return change.option != SocketOption::bufferLock; });
  return wanted;
}

TuneRecord recordBefore(TuneRecord earlier, const std::vector<OptionChange>& changes, const OptionValues& now) {
  const Locks locks = Locks::of(earlier, now);
  for (const SocketOption option : touchedBy(changes, now)) {
    RecordedOption* entry = earlier.find(option);
    if (entry == nullptr) {
      earlier.options.push_back({option, *now[option], std::nullopt});
      continue;
    }
    if (option == SocketOption::bufferLock) {
      const std::uint64_t foreign = locks.now ^ locks.after;
      entry->before.number = (locks.before & ~foreign) | (locks.now & foreign);
    } else if (isChangedByOthers(*entry, locks, now)) {
      entry->before = *now[option];
    }
    entry->after.reset();
  }
  return earlier;
}

TuneRecord recordAfter(TuneRecord record, const OptionValues& now) {
  const auto fill = [&](std::vector<RecordedOption>& options) {
    for (RecordedOption& entry : options) {
      if (!entry.after) entry.after = now[entry.option];
    }
  };
  fill(record.options);
  if (record.trial) fill(record.trial->changed);
  return record;
}

UndoPlan planUndo(const TuneRecord& record, const OptionValues& now) {
  return UndoPlanner(record, now).plan();
}

OptionValue valueToSet(SocketOption option, const OptionValue& asRead) {
  return isBufferSize(option) ? OptionValue{(asRead.number + 1) / 2, {}} : asRead;
}

OptionValue valueToRead(SocketOption option, const OptionValue& asSet) {
  return isBufferSize(option) ? OptionValue{asSet.number * 2, {}} : asSet;
}

}  // namespace tcpscope
