// The records of one tracepoint on one processor, through perf_event_open(2): the kernel writes them into memory that
// is shared with it, and they are taken from there now and then.
//
// Needs the right to trace (root, or CAP_PERFMON). What finds no room is counted by the kernel as lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"
#include "core/base/moment.h"

namespace tcpscope {

/// What takes the records: their bytes as the tracepoint describes them, and when they were written.
using TraceRecordSink = std::function<void(std::span<const std::byte> record, Moment at)>;

/// Reads records as they lie in a ring, from the first to the last whole one. Returns how many the kernel says it lost.
std::uint64_t readPerfRecords(std::span<const std::byte> records, const TraceRecordSink& sink);

class PerfRing {
public:
  /// Of the tracepoint with this number, whatever the process. Fails with errno.
  static Expected<PerfRing, int> open(std::uint64_t event, int processor);
  PerfRing(PerfRing&& other) noexcept;
  PerfRing& operator=(PerfRing&&) = delete;
  PerfRing(const PerfRing&) = delete;
  PerfRing& operator=(const PerfRing&) = delete;
  ~PerfRing();

  /// Readable once so much waits that the ring should be drained.
  [[nodiscard]] int descriptor() const { return m_descriptor.get(); }
  /// All that was written since the last time; returns how many were lost.
  std::uint64_t drain(const TraceRecordSink& sink);

private:
  PerfRing(OwnedDescriptor descriptor, void* memory, std::size_t length)
      : m_descriptor(std::move(descriptor)), m_memory(memory), m_length(length) {}

  OwnedDescriptor m_descriptor;
  void* m_memory;
  std::size_t m_length;
  std::vector<std::byte> m_copy;
};

}  // namespace tcpscope
