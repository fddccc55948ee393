#include "app/session/program_watch.h"

#include <algorithm>

#include "collectors/host/process_reading_reader.h"
#include "core/host/process_checks.h"

namespace tcpscope {

namespace {

constexpr std::size_t kMostPrograms = 256;
/// Of one program: where there are more, reading them costs more than what it shows is worth.
constexpr std::size_t kMostThreads = 512;

}  // namespace

ProgramWatch::ProgramWatch()
    : ProgramWatch([](std::uint32_t pid) { return readProcess("/", pid, ProcessParts::threads); }) {}

void ProgramWatch::watch(std::int32_t pid) {
  if (pid <= 0 || m_readings.size() >= kMostPrograms || m_readings.contains(pid)) return;
  if (const auto reading = m_read(static_cast<std::uint32_t>(pid))) keep(pid, *reading);
}

std::optional<ProgramWaits> ProgramWatch::waitsOf(std::int32_t pid) {
  constexpr Nanoseconds kTooShort = std::chrono::milliseconds(500);
  if (pid <= 0) return std::nullopt;
  const auto now = m_read(static_cast<std::uint32_t>(pid));
  const auto before = m_readings.find(pid);
  if (!now) {
    if (before != m_readings.end()) m_readings.erase(before);
    return std::nullopt;
  }
  if (before == m_readings.end()) {
    keep(pid, *now);
    return std::nullopt;
  }
  if (now->at - before->second.at < kTooShort) return std::nullopt;
  const auto waits = programWaits(before->second, *now);
  keep(pid, *now);
  return waits;
}

void ProgramWatch::keep(std::int32_t pid, const ProcessReading& reading) {
  m_readings.erase(pid);
  if (!reading.isWhole || reading.threads.size() > kMostThreads) return;
  if (m_readings.size() >= kMostPrograms) {
    const auto older = [](const auto& a, const auto& b) { return a.second.at < b.second.at; };
    m_readings.erase(std::min_element(m_readings.begin(), m_readings.end(), older));
  }
  m_readings.emplace(pid, reading);
}

}  // namespace tcpscope
