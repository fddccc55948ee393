#include "app/lab/traffic/host_meter.h"

#include <linux/sock_diag.h>
#include <sys/socket.h>
#include <time.h>

#include <array>
#include <utility>

namespace tcpscope::lab {

namespace {

/// A sample costs less than a microsecond a socket: one percent of the processor's time at most.
constexpr Milliseconds kBetweenSamples{10};
constexpr Nanoseconds kBetweenSamplesASocket{100'000};

Nanoseconds processorTimeOfProcess() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

}  // namespace

std::optional<std::int64_t> socketMemory(int socket) {
  std::array<std::uint32_t, SK_MEMINFO_VARS> figures{};
  socklen_t length = sizeof figures;
  if (getsockopt(socket, SOL_SOCKET, SO_MEMINFO, figures.data(), &length) != 0) return std::nullopt;
  return static_cast<std::int64_t>(figures[SK_MEMINFO_RMEM_ALLOC]) + figures[SK_MEMINFO_WMEM_QUEUED];
}

MeterSources systemSources() {
  return {socketMemory, processorTimeOfProcess};
}

ProgramMeter::ProgramMeter(HostMeter& host, MeterSources sources) : m_host(host), m_sources(std::move(sources)) {}

void ProgramMeter::add(int socket) {
  m_sockets.try_emplace(socket, 0);
}

void ProgramMeter::before(Moment now) {
  if (now >= m_next) sampleMemory();
}

void ProgramMeter::after(Moment now) {
  m_isStale = true;
  if (now >= m_next) sample(now);
}

std::optional<Moment> ProgramMeter::dueAt() const {
  return m_isStale ? std::optional(m_next) : std::nullopt;
}

void ProgramMeter::sample(Moment now) {
  sampleMemory();
  if (!std::exchange(m_hasSampled, true)) m_host.programs.fetch_add(1);
  const Nanoseconds processorTime = m_sources.processorTime();
  m_host.processorTime.fetch_add((processorTime - m_processorTime).count());
  m_processorTime = processorTime;
  m_next = now + kBetweenSamples + kBetweenSamplesASocket * static_cast<Nanoseconds::rep>(m_sockets.size());
  m_isStale = false;
}

void ProgramMeter::sampleMemory() {
  std::int64_t change = 0;
  bool wasRead = false;
  for (auto socket = m_sockets.begin(); socket != m_sockets.end();) {
    const std::optional<std::int64_t> memory = m_sources.memoryOf(socket->first);
    wasRead = wasRead || memory;
    change += memory.value_or(0) - socket->second;
    if (memory) {
      socket->second = *memory;
      ++socket;
    } else {
      socket = m_sockets.erase(socket);
    }
  }
  if (wasRead) m_host.knowsMemory.store(true);
  const std::int64_t held = m_host.memory.fetch_add(change) + change;
  std::int64_t peak = m_host.memoryPeak.load();
  while (held > peak && !m_host.memoryPeak.compare_exchange_weak(peak, held)) {
  }
}

}  // namespace tcpscope::lab
