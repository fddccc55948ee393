#include "collectors/host/process_reading_reader.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "collectors/host/cgroup_memory_reader.h"
#include "collectors/host/file_values.h"
#include "collectors/host/task_stat.h"
#include "collectors/system/monotonic_clock.h"
#include "collectors/system/owned_descriptor.h"

namespace tcpscope {

namespace {

namespace fs = std::filesystem;

/// More than programs have, and few enough to read in a moment.
constexpr std::size_t kMostThreads = 4096;

UnknownReason whyUnread(int errorNumber) {
  switch (errorNumber) {
    case EACCES:
    case EPERM:
      return UnknownReason::notPermitted;
    case ENOENT:
    case ESRCH:
      return UnknownReason::ended;
    default:
      return UnknownReason::notReported;
  }
}

/// The beginning of a file below the folder: these are short.
Reported<std::string> readBelow(int folder, const std::string& name) {
  constexpr std::size_t kMostStatBytes = 4096;
  const OwnedDescriptor file(openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return unreported(whyUnread(errno));
  std::string text(kMostStatBytes, '\0');
  const ssize_t size = read(file.get(), text.data(), text.size());
  if (size < 0) return unreported(whyUnread(errno));
  text.resize(static_cast<std::size_t>(size));
  return text;
}

/// Nothing for a thread that ended, whether its figures can still be read or not.
std::optional<ThreadReading> readThread(int folder, const std::string& id) {
  static const std::int64_t kTicksPerSecond = sysconf(_SC_CLK_TCK);
  const auto number = numberIn<std::uint32_t>(id);
  const Reported<std::string> text = readBelow(folder, id + "/stat");
  const auto stat = text ? taskStatIn(*text, kTicksPerSecond) : std::nullopt;
  if (!number || !stat || stat->state == 'Z' || stat->state == 'X') return std::nullopt;
  ThreadReading thread{*number, stat->name, stat->begun, stat->ran};
  if (const Reported<std::string> schedstat = readBelow(folder, id + "/schedstat")) {
    thread.waitedForProcessor = processorWaitIn(*schedstat);
  }
  thread.waitedForDisk = stat->waitedForDisk;
  thread.majorFaults = stat->majorFaults;
  thread.waitsUninterruptibly = stat->state == 'D';
  return thread;
}

/// Adds every thread; says why where that cannot be.
std::optional<UnknownReason> addThreads(ProcessReading& process, int folder) {
  const int tasks = openat(folder, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (tasks < 0) return whyUnread(errno);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(fdopendir(tasks), &closedir);
  if (!entries) {
    close(tasks);
    return UnknownReason::notReported;
  }
  while (const dirent* entry = readdir(entries.get())) {
    if (process.threads.size() == kMostThreads) {
      process.isWhole = false;
      break;
    }
    if (auto thread = readThread(tasks, entry->d_name)) process.threads.push_back(std::move(*thread));
  }
  return process.threads.empty() ? std::optional(UnknownReason::ended) : std::nullopt;
}

/// Where the kernel does not count, the file is missing; where the process ended, it is, too.
Reported<WriteCounters> readWrites(int folder) {
  const Reported<std::string> text = readBelow(folder, "io");
  if (!text) return unreported(text.error() == UnknownReason::ended ? UnknownReason::notSupported : text.error());
  const auto calls = keyedValue(*text, "syscw:");
  const auto bytes = keyedValue(*text, "wchar:");
  if (!calls || !bytes) return unreported();
  return WriteCounters{*calls, *bytes};
}

}  // namespace

Reported<ProcessReading> readProcess(const fs::path& root, std::uint32_t pid, ProcessParts parts) {
  const fs::path path = root / "proc" / std::to_string(pid);
  const OwnedDescriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder) return unreported(whyUnread(errno));
  const Reported<std::string> text = readBelow(folder.get(), "stat");
  if (!text) return unreported(text.error());
  const auto stat = taskStatIn(*text, sysconf(_SC_CLK_TCK));
  if (!stat) return unreported();
  ProcessReading process;
  process.at = monotonicNow();
  process.pid = pid;
  process.name = stat->name;
  process.begun = stat->begun;
  if (const auto why = addThreads(process, folder.get())) return unreported(*why);
  if (parts == ProcessParts::threads) return process;
  process.writes = readWrites(folder.get());
  const auto counts = numberIn<std::int64_t>(firstLineOf(root / "proc/sys/kernel/task_delayacct"));
  if (counts) process.countsDiskWaits = *counts != 0;
  return process;
}

}  // namespace tcpscope
