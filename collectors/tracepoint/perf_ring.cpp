#include "collectors/tracepoint/perf_ring.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "collectors/tracepoint/record_value.h"

namespace tcpscope {

namespace {

/// Some two thousand records between two polls.
constexpr std::size_t kPages = 64;

/// After the header: the time, the length of the record, the record.
void reportSample(std::span<const std::byte> body, const TraceRecordSink& sink) {
  constexpr std::size_t kFront = sizeof(std::uint64_t) + sizeof(std::uint32_t);
  if (body.size() < kFront) return;
  const auto at = Moment::fromNanoseconds(static_cast<std::int64_t>(valueAt<std::uint64_t>(body, 0)));
  const auto length = valueAt<std::uint32_t>(body, sizeof(std::uint64_t));
  if (length > body.size() - kFront) return;
  sink(body.subspan(kFront, length), at);
}

}  // namespace

std::uint64_t readPerfRecords(std::span<const std::byte> records, const TraceRecordSink& sink) {
  std::uint64_t lost = 0;
  while (records.size() >= sizeof(perf_event_header)) {
    const auto header = valueAt<perf_event_header>(records, 0);
    if (header.size < sizeof header || header.size > records.size()) break;
    const auto body = records.subspan(sizeof header, header.size - sizeof header);
    if (header.type == PERF_RECORD_SAMPLE) reportSample(body, sink);
    if (header.type == PERF_RECORD_LOST && body.size() >= 2 * sizeof(std::uint64_t)) {
      lost += valueAt<std::uint64_t>(body, sizeof(std::uint64_t));
    }
    records = records.subspan(header.size);
  }
  return lost;
}

Expected<PerfRing, int> PerfRing::open(std::uint64_t event, int processor) {
  const auto pageSize = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_TRACEPOINT;
  wanted.config = event;
  wanted.sample_period = 1;
  wanted.sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW;
  wanted.use_clockid = 1;
  wanted.clockid = CLOCK_MONOTONIC;
  // The ring is polled; where events come faster than that, a wakeup long before it is full.
  wanted.watermark = 1;
  wanted.wakeup_watermark = static_cast<std::uint32_t>(kPages * pageSize / 4);
  const long opened = syscall(SYS_perf_event_open, &wanted, -1, processor, -1, PERF_FLAG_FD_CLOEXEC);
  if (opened < 0) return Unexpected<int>(errno);
  OwnedDescriptor descriptor(static_cast<int>(opened));
  const std::size_t length = (1 + kPages) * pageSize;
  void* const memory = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.get(), 0);
  if (memory == MAP_FAILED) return Unexpected<int>(errno);
  return PerfRing(std::move(descriptor), memory, length);
}

PerfRing::PerfRing(PerfRing&& other) noexcept
    : m_descriptor(std::move(other.m_descriptor)),
      m_memory(std::exchange(other.m_memory, nullptr)),
      m_length(other.m_length),
      m_copy(std::move(other.m_copy)) {}

PerfRing::~PerfRing() {
  if (m_memory != nullptr) munmap(m_memory, m_length);
}

std::uint64_t PerfRing::drain(const TraceRecordSink& sink) {
  auto* const control = static_cast<perf_event_mmap_page*>(m_memory);
  const std::uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
  const std::uint64_t tail = control->data_tail;
  const std::size_t size = m_length / (1 + kPages) * kPages;
  const auto* const ring = static_cast<const std::byte*>(m_memory) + (m_length - size);
  const std::size_t waiting = std::min<std::size_t>(head - tail, size);
  const std::size_t start = tail % size;
  const std::size_t untilWrap = std::min(waiting, size - start);
  m_copy.assign(ring + start, ring + start + untilWrap);
  m_copy.insert(m_copy.end(), ring, ring + (waiting - untilWrap));
  __atomic_store_n(&control->data_tail, head, __ATOMIC_RELEASE);
  return readPerfRecords(m_copy, sink);
}

}  // namespace tcpscope
