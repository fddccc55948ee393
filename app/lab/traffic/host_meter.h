// What the programs of a host cost it: their processor time, and the memory that their sockets held at most. Each
// program samples its own sockets and adds to what the host's programs share.
//
// Processor time is user and system time of the programs themselves. What the kernel does for packets that arrive is
// not in it: it runs in softirq, mostly in the path's process. That includes the segments that an acknowledgment lets
// out, so a sender whose window is the limit pays little more than the copy into its send queue.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "core/base/moment.h"
#include "core/base/units.h"

namespace tcpscope::lab {

/// Of one host, in memory that its programs share with the lab's owner.
struct HostMeter {
  /// Programs that have sampled; 0: nothing is known of the host.
  std::atomic<std::uint64_t> programs;
  /// Nanoseconds, of all of them.
  std::atomic<std::int64_t> processorTime;
  /// A socket's memory could be read.
  std::atomic<bool> knowsMemory;
  /// Bytes that the open sockets hold now, and have held at most.
  std::atomic<std::int64_t> memory;
  std::atomic<std::int64_t> memoryPeak;
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "meters are shared between processes");

/// What a meter reads; tests have their own.
struct MeterSources {
  /// Bytes that a socket holds; nothing where it is closed.
  std::function<std::optional<std::int64_t>(int socket)> memoryOf;
  /// Of the calling process up to now.
  std::function<Nanoseconds()> processorTime;
};

/// Receive queue and send queue with the kernel's overhead, as they count against SO_RCVBUF and SO_SNDBUF: rmem_alloc
/// and wmem_queued of SO_MEMINFO (`ss -m`: r and w).
std::optional<std::int64_t> socketMemory(int socket);
MeterSources systemSources();

class ProgramMeter {
public:
  /// Call it in the program's own process.
  explicit ProgramMeter(HostMeter& host, MeterSources sources = systemSources());

  /// From now on it is sampled until it is closed.
  void add(int socket);
  /// Something may be about to change what the sockets hold.
  void before(Moment now);
  /// Something has changed it. Samples, or notes that a sample is due.
  void after(Moment now);
  /// When after() is to be called even if nothing happens before; nothing while every change has been sampled.
  [[nodiscard]] std::optional<Moment> dueAt() const;
  void sample(Moment now);

private:
  void sampleMemory();

  HostMeter& m_host;
  MeterSources m_sources;
  /// What each held in the last sample.
  std::map<int, std::int64_t> m_sockets;
  Nanoseconds m_processorTime{0};
  Moment m_next;
  bool m_isStale = false;
  bool m_hasSampled = false;
};

}  // namespace tcpscope::lab
