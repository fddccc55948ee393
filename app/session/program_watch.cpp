#include "app/session/program_watch.h"

#include <algorithm>

#include "collectors/host/process_reading_reader.h"
#include "collectors/host/processor_time_reader.h"
#include "core/host/process_checks.h"

namespace tcpscope {

namespace {

constexpr std::size_t kMostPrograms = 256;
constexpr std::size_t kMostConnections = 4096;
/// Of one program: where there are more, reading them costs more than what it shows is worth.
constexpr std::size_t kMostThreads = 512;
/// What the kernel's counts resolve, and a time in which reading the threads costs next to nothing.
constexpr Nanoseconds kTooShort = std::chrono::milliseconds(180);
constexpr Nanoseconds kRestForAThread = std::chrono::milliseconds(10);
constexpr Nanoseconds kRestForATooLargeOne = std::chrono::seconds(30);
/// A program that nothing asked about for so long makes room for another one; a younger one keeps its place, so that
/// more programs than fit do not push out one another.
constexpr Nanoseconds kForgottenAfter = std::chrono::seconds(30);
/// A processor's time is counted in hundredths of a second.
constexpr Nanoseconds kProcessorSpan = std::chrono::seconds(1);
constexpr std::size_t kMostWaits = 64;

}  // namespace

ProgramWatch::ProgramWatch()
    : ProgramWatch([](std::uint32_t pid) { return readProcess("/", pid, ProcessParts::threads); },
                   [] { return readProcessorTimes("/"); }) {}

void ProgramWatch::watch(std::int32_t pid) {
  if (pid <= 0 || m_programs.size() >= kMostPrograms || m_programs.contains(pid)) return;
  if (auto reading = m_read(static_cast<std::uint32_t>(pid))) begin(pid, std::move(*reading));
}

std::optional<ProgramWaits> ProgramWatch::waitsOf(std::int32_t pid, ConnectionId connection, Moment now) {
  if (pid <= 0) return std::nullopt;
  const auto known = m_programs.find(pid);
  if (known == m_programs.end()) {
    if (auto reading = m_read(static_cast<std::uint32_t>(pid))) begin(pid, std::move(*reading));
    return std::nullopt;
  }
  Program& program = known->second;
  const auto threads = static_cast<std::int64_t>(program.last.threads.size());
  const Nanoseconds rest = program.isTooLarge ? kRestForATooLargeOne : std::max(kTooShort, threads * kRestForAThread);
  if (now - program.last.at >= rest) {
    sampleProcessors(now);
    if (!sample(program)) {
      m_programs.erase(known);
      return std::nullopt;
    }
  }
  if (!m_handedOverUntil.contains(connection) && m_handedOverUntil.size() >= kMostConnections) return std::nullopt;
  Moment& handedOver = m_handedOverUntil[connection];
  std::optional<ProgramWaits> all;
  for (const ProgramWaits& waits : program.waits) {
    if (waits.until <= handedOver) continue;
    all = all && all->until == waits.from ? together(*all, waits) : waits;
  }
  if (all) handedOver = all->until;
  return all;
}

bool ProgramWatch::sample(Program& program) {
  auto reading = m_read(program.last.pid);
  if (!reading) return false;
  auto waits = program.isTooLarge ? std::nullopt : programWaits(program.last, *reading);
  program.isTooLarge = !reading->isWhole || reading->threads.size() > kMostThreads;
  program.last = std::move(*reading);
  if (program.isTooLarge) program.last.threads.clear();
  if (!waits) {
    program.waits.clear();
    return true;
  }
  if (program.last.at - m_processorsAt < 2 * kProcessorSpan) waits->softirqRatio = m_softirqRatio;
  if (program.waits.size() >= kMostWaits) program.waits.pop_front();
  program.waits.push_back(*waits);
  return true;
}

void ProgramWatch::sampleProcessors(Moment now) {
  if (!m_processors.empty() && now - m_processorsAt < kProcessorSpan) return;
  ProcessorTimes times = m_readProcessors();
  m_softirqRatio = highestSoftirqRatio(m_processors, times);
  m_processors = std::move(times);
  m_processorsAt = now;
}

void ProgramWatch::begin(std::int32_t pid, ProcessReading reading) {
  if (m_programs.size() >= kMostPrograms) {
    const auto older = [](const auto& a, const auto& b) { return a.second.last.at < b.second.last.at; };
    const auto oldest = std::min_element(m_programs.begin(), m_programs.end(), older);
    if (reading.at - oldest->second.last.at < kForgottenAfter) return;
    m_programs.erase(oldest);
  }
  Program program{std::move(reading), false, {}};
  program.last.pid = static_cast<std::uint32_t>(pid);
  program.isTooLarge = !program.last.isWhole || program.last.threads.size() > kMostThreads;
  if (program.isTooLarge) program.last.threads.clear();
  m_programs.insert_or_assign(pid, std::move(program));
}

}  // namespace tcpscope
