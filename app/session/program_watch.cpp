#include "app/session/program_watch.h"

#include <algorithm>

#include "collectors/host/process_reading_reader.h"
#include "collectors/host/processor_time_reader.h"
#include "core/host/process_checks.h"

namespace tcpscope {

namespace {

constexpr std::size_t kMostPrograms = 256;
/// Of one program: where there are more, reading them costs more than what it shows is worth.
constexpr std::size_t kMostThreads = 512;
/// What the kernel's counts resolve, and a time in which reading the threads costs next to nothing.
constexpr Nanoseconds kTooShort = std::chrono::milliseconds(180);
constexpr Nanoseconds kRestForAThread = std::chrono::milliseconds(10);

}  // namespace

ProgramWatch::ProgramWatch()
    : ProgramWatch([](std::uint32_t pid) { return readProcess("/", pid, ProcessParts::threads); },
                   [] { return readProcessorTimes("/"); }) {}

void ProgramWatch::watch(std::int32_t pid) {
  if (pid <= 0 || m_samples.size() >= kMostPrograms || m_samples.contains(pid)) return;
  if (auto sample = sampleOf(pid)) keep(pid, std::move(*sample));
}

std::optional<ProgramWaits> ProgramWatch::waitsOf(std::int32_t pid, Moment now) {
  const auto before = m_samples.find(pid);
  if (before != m_samples.end()) {
    const ProcessReading& program = before->second.program;
    const auto threads = static_cast<std::int64_t>(program.threads.size());
    if (now - program.at < std::max(kTooShort, threads * kRestForAThread)) return std::nullopt;
  }
  auto sample = pid > 0 ? sampleOf(pid) : std::nullopt;
  if (!sample) {
    m_samples.erase(pid);
    return std::nullopt;
  }
  std::optional<ProgramWaits> waits;
  if (before != m_samples.end()) {
    waits = programWaits(before->second.program, sample->program);
    if (waits) waits->softirqRatio = highestSoftirqRatio(before->second.processors, sample->processors);
  }
  keep(pid, std::move(*sample));
  return waits;
}

std::optional<ProgramWatch::Sample> ProgramWatch::sampleOf(std::int32_t pid) const {
  auto program = m_read(static_cast<std::uint32_t>(pid));
  if (!program) return std::nullopt;
  return Sample{std::move(*program), m_readProcessors()};
}

void ProgramWatch::keep(std::int32_t pid, Sample sample) {
  m_samples.erase(pid);
  if (!sample.program.isWhole || sample.program.threads.size() > kMostThreads) return;
  if (m_samples.size() >= kMostPrograms) {
    const auto older = [](const auto& a, const auto& b) { return a.second.program.at < b.second.program.at; };
    m_samples.erase(std::min_element(m_samples.begin(), m_samples.end(), older));
  }
  m_samples.emplace(pid, std::move(sample));
}

}  // namespace tcpscope
