#include "collectors/bpf/loss_source.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <utility>

#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

constexpr int kDrainIntervalMs = 100;

}  // namespace

SourceEvent LossReporter::report(const TracedLoss& event, const std::optional<DropReason>& reason) {
  const SegmentSeen& segment = event.segment;
  LossReport report;
  report.sequence = segment.sequence;
  report.sequenceLength = segment.sequenceLength;
  report.networkNamespace = segment.networkNamespace;
  report.isElsewhere = m_home && segment.networkNamespace && *segment.networkNamespace != *m_home;
  report.reason = reason;
  if (reason) {
    m_drops.add(segment, *reason);
  } else {
    LocalDrops::Explanation explanation = m_drops.explain(segment, event.begun);
    report.match = explanation.match;
    report.reason = std::move(explanation.reason);
  }
  SourceEvent made;
  made.source = LossSource::kDescription.name;
  made.local = segment.source;
  made.remote = segment.destination;
  made.at = segment.at;
  made.kind = reason ? HistoryEventKind::localDrop : HistoryEventKind::retransmission;
  made.payload = encodeLossReport(report);
  return made;
}

Expected<std::unique_ptr<LossSource>, CapabilityReason> LossSource::open(PlaceId place,
                                                                         std::optional<std::uint32_t> home) {
  auto program = LossProgram::open();
  if (!program) return Unexpected<CapabilityReason>(program.error());
  return std::unique_ptr<LossSource>(new LossSource(place, home, std::move(*program)));
}

LossSource::LossSource(PlaceId place, std::optional<std::uint32_t> home, std::unique_ptr<LossProgram> program)
    : m_place(place), m_program(std::move(program)), m_reporter(home, monotonicNow()) {}

void LossSource::run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) {
  ObservationBatch first;
  first.place = m_place;
  first.reportsRetransmissions = true;
  sink(std::move(first));
  std::array<pollfd, 2> entries{{{requests.wakeDescriptor(), POLLIN, 0}, {m_program->descriptor(), POLLIN, 0}}};
  while (!stop.stop_requested()) {
    if (::poll(entries.data(), entries.size(), kDrainIntervalMs) > 0 && entries.front().revents != 0) requests.take();
    collect(sink);
  }
  collect(sink);
}

void LossSource::countLost() {
  const std::uint64_t lost = m_program->lost();
  if (lost == m_lostInKernel) return;
  m_lost += lost - std::exchange(m_lostInKernel, lost);
  // When exactly is not known.
  m_reporter.missUntil(monotonicNow());
}

void LossSource::collect(const ObservationSink& sink) {
  ObservationBatch batch;
  batch.place = m_place;
  batch.reportsRetransmissions = true;
  m_program->drain([&](std::span<const std::byte> record) {
    countLost();
    const auto event = decodeKernelRecord(record);
    if (!event) return;
    batch.events.push_back(m_reporter.report(
        *event, event->dropReason ? std::optional(m_program->reason(*event->dropReason)) : std::nullopt));
  });
  countLost();
  if (batch.events.empty() && m_lost == 0) return;
  std::stable_sort(batch.events.begin(), batch.events.end(),
                   [](const SourceEvent& a, const SourceEvent& b) { return a.at < b.at; });
  if (m_lost > 0) batch.gaps.push_back({m_place, GapKind::eventsLost, m_lost});
  const std::uint64_t events = batch.events.size();
  m_lost = sink(std::move(batch)) ? 0 : m_lost + events;
}

}  // namespace tcpscope
