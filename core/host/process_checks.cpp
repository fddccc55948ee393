#include "core/host/process_checks.h"

#include <algorithm>
#include <functional>

#include "core/host/counter_check.h"

namespace tcpscope {

namespace {

/// What a thread did between the two readings, as shares of that time.
struct ThreadChange {
  UntrustedText name;
  double ran = 0.0;
  std::optional<double> waitedForProcessor{};
  std::optional<double> waitedForDisk{};
  std::optional<std::uint64_t> majorFaults{};
  bool waitedInBothReadings = false;

  /// A thread that would compute without a pause does so where it gets a processor, and waits for one where not.
  [[nodiscard]] double wanted() const { return ran + waitedForProcessor.value_or(0.0); }
};

using ThreadShare = std::function<double(const ThreadChange&)>;

/// Counted up to two moments; a thread that came meanwhile began at zero.
std::optional<double> shareOfWindow(std::optional<Nanoseconds> was, std::optional<Nanoseconds> is, Nanoseconds window) {
  if (!was || !is) return std::nullopt;
  return std::clamp(toSeconds(*is - *was) / toSeconds(window), 0.0, 1.0);
}

std::vector<ThreadChange> threadChanges(const ProcessReading& before, const ProcessReading& after) {
  const Nanoseconds window = after.at - before.at;
  std::vector<ThreadChange> changes;
  for (const ThreadReading& is : after.threads) {
    const auto same = [&](const ThreadReading& one) { return one.id == is.id && one.begun == is.begun; };
    const auto found = std::find_if(before.threads.begin(), before.threads.end(), same);
    const bool isNew = found == before.threads.end();
    // It may be older, and all it ever did would look like now.
    if (isNew && !before.isWhole) continue;
    ThreadReading was;
    was.waitedForProcessor = Nanoseconds(0);
    was.waitedForDisk = Nanoseconds(0);
    was.majorFaults = 0;
    if (!isNew) was = *found;
    ThreadChange change{is.name, shareOfWindow(was.ran, is.ran, window).value_or(0.0)};
    change.waitedForProcessor = shareOfWindow(was.waitedForProcessor, is.waitedForProcessor, window);
    change.waitedForDisk = shareOfWindow(was.waitedForDisk, is.waitedForDisk, window);
    if (was.majorFaults && is.majorFaults >= was.majorFaults) change.majorFaults = *is.majorFaults - *was.majorFaults;
    change.waitedInBothReadings = was.waitsUninterruptibly && is.waitsUninterruptibly;
    changes.push_back(std::move(change));
  }
  return changes;
}

const ThreadChange& mostBy(const std::vector<ThreadChange>& changes, const ThreadShare& share) {
  return *std::max_element(changes.begin(), changes.end(), [&](const ThreadChange& left, const ThreadChange& right) {
    return share(left) < share(right);
  });
}

CheckRow rowOf(CheckId id, const ProcessReading& process) {
  CheckRow row{id, CheckLayer::application, CheckStatus::unknown, process.name};
  row.pid = process.pid;
  return row;
}

/// The share of the thread that has the most, judged; of threads that were not read nothing is known.
void judgeMost(CheckRow& row, const ThreadChange& most, double share, bool isTooMuch, bool isWhole) {
  row.names = {most.name};
  row.timeRatio = share;
  row.status = isTooMuch ? CheckStatus::warn : CheckStatus::pass;
  if (!isTooMuch && !isWhole) row.status = CheckStatus::unknown;
}

CheckRow oneThreadOf(CheckRow row, const std::vector<ThreadChange>& changes, bool isWhole) {
  constexpr double kNearlyAlways = 0.9;
  constexpr double kBusy = 0.5;
  const ThreadShare wanted = &ThreadChange::wanted;
  const ThreadChange& most = mostBy(changes, wanted);
  const auto busy =
      std::count_if(changes.begin(), changes.end(), [&](const ThreadChange& one) { return wanted(one) >= kBusy; });
  row.count = static_cast<std::uint64_t>(busy);
  row.most = changes.size();
  judgeMost(row, most, std::min(wanted(most), 1.0), wanted(most) >= kNearlyAlways && busy == 1, isWhole);
  return row;
}

/// A tenth of the time: what comes meanwhile waits as long, whatever the network does.
constexpr double kMuchWaiting = 0.1;

CheckRow processorWaitOf(CheckRow row, const std::vector<ThreadChange>& changes, bool isWhole) {
  const auto isReported = [](const ThreadChange& one) { return one.waitedForProcessor.has_value(); };
  // A thread without the figure among others never ran.
  if (std::none_of(changes.begin(), changes.end(), isReported)) return unknown(row, UnknownReason::notSupported);
  const ThreadShare waited = [](const ThreadChange& one) { return one.waitedForProcessor.value_or(0.0); };
  const ThreadChange& most = mostBy(changes, waited);
  judgeMost(row, most, waited(most), waited(most) >= kMuchWaiting, isWhole);
  return row;
}

CheckRow diskWaitOf(CheckRow row, const std::vector<ThreadChange>& changes, const ProcessReading& after) {
  const auto stuck = std::find_if(changes.begin(), changes.end(), std::mem_fn(&ThreadChange::waitedInBothReadings));
  const bool isCounted = after.countsDiskWaits != false &&
                         std::any_of(after.threads.begin(), after.threads.end(), [](const ThreadReading& one) {
                           return one.waitedForDisk.value_or(Nanoseconds(0)) > Nanoseconds(0);
                         });
  if (isCounted) {
    const ThreadShare waited = [](const ThreadChange& one) { return one.waitedForDisk.value_or(0.0); };
    const ThreadChange& most = mostBy(changes, waited);
    judgeMost(row, most, waited(most), waited(most) >= kMuchWaiting, after.isWhole);
  } else {
    // None ever counted is no proof: the kernel leaves out threads that are older than the setting.
    row = unknown(row, after.countsDiskWaits == false ? UnknownReason::switchedOff : UnknownReason::notCounted);
  }
  if (stuck != changes.end() && row.status != CheckStatus::warn) {
    row.names = {stuck->name};
    row.timeRatio.reset();
    row.status = CheckStatus::warn;
  }
  return row;
}

CheckRow smallWritesOf(CheckRow row, const ProcessReading& before, const ProcessReading& after) {
  // From a page on, copying costs more than the call does.
  constexpr double kSmallBytes = 4096.0;
  // Calls of 1 to 10 microseconds: from here on they may take a hundredth of a processor.
  constexpr double kManyASecond = 1000.0;
  if (!after.writes) return unknown(row, after.writes.error());
  if (!before.writes) return unknown(row, before.writes.error());
  if (after.writes->calls < before.writes->calls || after.writes->bytes < before.writes->bytes) {
    return unknown(row, UnknownReason::counterReset);
  }
  const auto calls = static_cast<double>(after.writes->calls - before.writes->calls);
  const auto bytes = static_cast<double>(after.writes->bytes - before.writes->bytes);
  const double rate = calls / toSeconds(after.at - before.at);
  // A program that sends by send() shows few calls here, however many it makes.
  if (rate < kManyASecond) return unknown(row, UnknownReason::notCounted);
  row.callsASecond = rate;
  row.bytesACall = bytes / calls;
  row.status = *row.bytesACall < kSmallBytes ? CheckStatus::warn : CheckStatus::pass;
  return row;
}

std::optional<UnknownReason> whyNothingIsKnown(const Reported<ProcessReading>& before,
                                               const Reported<ProcessReading>& after) {
  if (!before) return before.error();
  if (!after) return after.error();
  if (before->pid != after->pid || before->begun != after->begun) return UnknownReason::replaced;
  return after->at > before->at ? std::nullopt : std::optional(UnknownReason::notReported);
}

}  // namespace

std::vector<CheckRow> checkUpProcess(const Reported<ProcessReading>& before, const Reported<ProcessReading>& after) {
  // It is the earlier one that was asked for.
  const ProcessReading named = before ? *before : after.value_or(ProcessReading{});
  const CheckRow oneThread = rowOf(CheckId::oneThread, named);
  const CheckRow processorWait = rowOf(CheckId::processorWait, named);
  const CheckRow diskWait = rowOf(CheckId::diskWait, named);
  const CheckRow smallWrites = rowOf(CheckId::smallWrites, named);
  std::optional<UnknownReason> why = whyNothingIsKnown(before, after);
  const std::vector<ThreadChange> changes = why ? std::vector<ThreadChange>() : threadChanges(*before, *after);
  if (changes.empty() && !why) why = UnknownReason::notReported;
  if (why) {
    return {unknown(oneThread, *why), unknown(processorWait, *why), unknown(diskWait, *why),
            unknown(smallWrites, *why)};
  }
  return {oneThreadOf(oneThread, changes, after->isWhole), processorWaitOf(processorWait, changes, after->isWhole),
          diskWaitOf(diskWait, changes, *after), smallWritesOf(smallWrites, *before, *after)};
}

std::optional<ProgramWaits> programWaits(const ProcessReading& before, const ProcessReading& after) {
  if (whyNothingIsKnown(before, after)) return std::nullopt;
  std::optional<double> longest;
  std::optional<std::uint64_t> majorFaults;
  for (const ThreadChange& change : threadChanges(before, after)) {
    longest = std::max(longest, change.waitedForProcessor);
    if (change.majorFaults) majorFaults = majorFaults.value_or(0) + *change.majorFaults;
  }
  if (!longest) return std::nullopt;
  ProgramWaits waits{before.at, after.at, std::chrono::duration_cast<Nanoseconds>(*longest * (after.at - before.at))};
  waits.majorFaults = majorFaults;
  return waits;
}

}  // namespace tcpscope
