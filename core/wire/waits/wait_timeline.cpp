#include "core/wire/waits/wait_timeline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tcpscope {

namespace {

constexpr std::uint32_t kParts = 65'535;

using Parts = std::array<std::uint16_t, kSenderWaitCount>;

constexpr SenderWait waitAt(std::size_t index) {
  return static_cast<SenderWait>(index);
}

/// Rounded so that they add up: each gets what lies between its rounded ends.
template <class ShareOf>
Parts partsOf(const ShareOf& shareOf) {
  Parts parts{};
  double sum = 0.0;
  std::uint32_t before = 0;
  for (std::size_t index = 0; index < parts.size(); ++index) {
    sum += shareOf(index);
    const bool isLast = index + 1 == parts.size();
    const auto end = isLast ? kParts : std::min(kParts, static_cast<std::uint32_t>(std::lround(sum * kParts)));
    parts.at(index) = static_cast<std::uint16_t>(end - std::min(before, end));
    before = std::max(before, end);
  }
  return parts;
}

SenderWaits waitsOf(const Parts& parts, Nanoseconds length) {
  SenderWaits waits;
  for (std::size_t index = 0; index < parts.size(); ++index) {
    waits.add(waitAt(index), Nanoseconds(length.count() / kParts * parts.at(index) +
                                         length.count() % kParts * parts.at(index) / kParts));
  }
  return waits;
}

}  // namespace

void WaitStep::join(const WaitStep& next) {
  to = next.to;
  for (std::size_t index = 0; index < kSenderWaitCount; ++index) {
    waits.add(waitAt(index), next.waits.span(waitAt(index)));
  }
  rttUs += next.rttUs;
  inFlightBytes += next.inFlightBytes;
  polls += next.polls;
}

void WaitTimeline::advance(const SenderWaits& soFar) {
  for (std::size_t index = 0; index < kSenderWaitCount; ++index) {
    const Nanoseconds added = soFar.span(waitAt(index)) - m_seen.span(waitAt(index));
    if (added > Nanoseconds::zero()) add(waitAt(index), added);
  }
  m_seen = soFar;
}

void WaitTimeline::observe(double rttUs, double inFlightBytes) {
  if (m_openRun.polls == std::numeric_limits<std::uint16_t>::max()) return;
  ++m_openRun.polls;
  m_openRun.rttUs += static_cast<float>(rttUs);
  m_openRun.inFlightBytes += static_cast<float>(inFlightBytes);
}

void WaitTimeline::add(SenderWait wait, Nanoseconds span) {
  while (span > Nanoseconds::zero()) {
    const Nanoseconds part = std::min(span, m_length - m_openSpan);
    m_open.add(wait, part);
    m_openSpan += part;
    span -= part;
    if (m_openSpan == m_length) closeStep();
  }
}

void WaitTimeline::closeStep() {
  const auto length = static_cast<double>(m_length.count());
  m_openRun.parts =
      partsOf([&](std::size_t index) { return static_cast<double>(m_open.span(waitAt(index)).count()) / length; });
  append(m_openRun);
  m_open = {};
  m_openSpan = Nanoseconds::zero();
  m_openRun = {};
  if (m_count == kMostSteps) doubleLength();
}

void WaitTimeline::append(const Run& run) {
  ++m_count;
  const bool isSame = !m_runs.empty() && m_runs.back().parts == run.parts && m_runs.back().polls == 0 && run.polls == 0;
  if (isSame) {
    ++m_runs.back().count;
  } else {
    m_runs.push_back(run);
  }
}

void WaitTimeline::doubleLength() {
  std::vector<Run> single;
  single.reserve(m_count);
  for (Run run : m_runs) {
    for (std::uint16_t left = std::exchange(run.count, std::uint16_t{1}); left > 0; --left) single.push_back(run);
  }
  m_runs.clear();
  m_count = 0;
  m_length *= 2;
  for (std::size_t index = 0; index + 1 < single.size(); index += 2) {
    Run both = single[index];
    const Run& next = single[index + 1];
    both.parts = partsOf([&](std::size_t wait) {
      return (static_cast<double>(both.parts.at(wait)) + static_cast<double>(next.parts.at(wait))) / (2.0 * kParts);
    });
    const std::uint32_t polls = std::uint32_t{both.polls} + next.polls;
    both.polls = static_cast<std::uint16_t>(std::min<std::uint32_t>(polls, std::numeric_limits<std::uint16_t>::max()));
    const auto kept = polls == 0 ? 1.0F : static_cast<float>(both.polls) / static_cast<float>(polls);
    both.rttUs = (both.rttUs + next.rttUs) * kept;
    both.inFlightBytes = (both.inFlightBytes + next.inFlightBytes) * kept;
    append(both);
  }
}

std::vector<WaitStep> WaitTimeline::steps(Moment start) const {
  std::vector<WaitStep> steps;
  steps.reserve(m_count + 1);
  for (const Run& run : m_runs) {
    for (std::uint16_t step = 0; step < run.count; ++step) {
      steps.push_back({start, start + m_length, waitsOf(run.parts, m_length), static_cast<double>(run.rttUs),
                       static_cast<double>(run.inFlightBytes), run.polls});
      start = start + m_length;
    }
  }
  if (m_openSpan > Nanoseconds::zero()) {
    steps.push_back({start, start + m_openSpan, m_open, static_cast<double>(m_openRun.rttUs),
                     static_cast<double>(m_openRun.inFlightBytes), m_openRun.polls});
  }
  return steps;
}

}  // namespace tcpscope
