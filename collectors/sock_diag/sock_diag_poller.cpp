#include "collectors/sock_diag/sock_diag_poller.h"

#include <linux/sock_diag.h>

#include <algorithm>
#include <utility>

#include "collectors/sock_diag/diag_digest.h"
#include "collectors/sock_diag/filter_bytecode.h"
#include "core/filter/filter_evaluator.h"

namespace tcpscope {

namespace {

constexpr std::size_t kMaxEventsAtOnce = 512;
constexpr std::uint32_t kListening = 1U << static_cast<unsigned>(TcpState::listen);

}  // namespace

Expected<std::unique_ptr<SockDiagPoller>, NetlinkError> SockDiagPoller::open(SockDiagAccess access,
                                                                             const SockDiagSettings& settings) {
  Expected<NetlinkChannelPointer, NetlinkError> requests = access.openRequests();
  if (!requests) return Unexpected<NetlinkError>(requests.error());
  Expected<ExactRequester, NetlinkError> exact = ExactRequester::open(access);
  if (!exact) return Unexpected<NetlinkError>(exact.error());
  return std::unique_ptr<SockDiagPoller>(
      new SockDiagPoller(std::move(access), settings, std::move(*requests), std::move(*exact)));
}

SockDiagPoller::SockDiagPoller(SockDiagAccess access, const SockDiagSettings& settings, NetlinkChannelPointer requests,
                               ExactRequester exact)
    : m_access(std::move(access)),
      m_settings(settings),
      m_requests(std::make_unique<DiagConversation>(std::move(requests), m_access.now)),
      m_exact(std::move(exact)),
      m_table(settings.place, settings.maxSockets),
      m_batch(settings.place, settings.socketsPerBatch, settings.mostClosedKept),
      m_eventBuffer(kReceiveBufferBytes) {
  Expected<NetlinkChannelPointer, NetlinkError> destroyed = m_access.openDestroyEvents();
  if (destroyed) m_destroyed = std::move(*destroyed);
}

void SockDiagPoller::setFilter(std::uint32_t stateMask, FilterPointer filter) {
  m_stateMask = stateMask;
  m_bytecode = compileFilter(filter);
  m_filter = std::move(filter);
}

int SockDiagPoller::destroyDescriptor() const {
  return m_destroyed ? m_destroyed->descriptor() : -1;
}

DiagContext SockDiagPoller::context(Moment takenAt) const {
  return {m_settings.place, m_settings.accecnLayout, takenAt};
}

void SockDiagPoller::beginDump() {
  if (m_phase != Phase::idle) return;
  m_table.beginDump();
  m_interrupted = false;
  m_phase = Phase::dumping;
  if (!m_requests->ask(DiagRequest::dump(m_stateMask, m_bytecode, m_requests->nextSequence()))) giveUpDump();
}

SockDiagPoller::Step SockDiagPoller::step(const ObservationSink& sink) {
  if (m_phase == Phase::dumping) {
    stepDump(sink);
  } else if (m_phase == Phase::checking) {
    stepCheck(sink);
  }
  return m_phase == Phase::idle || m_phase == Phase::broken ? Step::finished : Step::more;
}

void SockDiagPoller::pollOnce(const ObservationSink& sink) {
  beginDump();
  while (step(sink) == Step::more) {
  }
}

bool SockDiagPoller::pollKnown(const ObservationSink& sink, const KnownPoll& how) {
  if (m_phase != Phase::idle) return false;
  m_table.beginDump();
  m_interrupted = false;
  bool areAllThere = askForMissing(how.isFirst, sink);
  const std::size_t others = m_table.size() - m_table.seenInThisDump();
  if (how.areOthersUnchanged && others > 0 && areAllThere) {
    m_batch.flush(sink, m_gaps, m_table, std::nullopt);
    if (how.areOthersUnchanged(others)) seeOthersUnchanged();
  }
  if (how.isFirst && m_phase != Phase::broken) areAllThere = askForMissing({}, sink) && areAllThere;
  if (m_phase == Phase::broken) return false;
  endDump(sink);
  return areAllThere;
}

bool SockDiagPoller::askForMissing(const std::function<bool(std::uint64_t cookie)>& isMeant,
                                   const ObservationSink& sink) {
  bool areAllThere = true;
  SocketBlock block;
  SocketTable::Slot slot = m_table.nextMissing(0);
  while (slot != SocketTable::kNoSlot && m_phase != Phase::broken) {
    std::size_t count = 0;
    for (; slot != SocketTable::kNoSlot && count < block.size(); slot = m_table.nextMissing(slot + 1)) {
      const SocketAddress address = m_table.address(slot);
      if (!isMeant || isMeant(address.id.cookie)) block.at(count++) = address;
    }
    if (count == 0) break;
    const ExactRequester::Answers answers = askFor(std::span(block).first(count), sink);
    areAllThere = areAllThere && std::all_of(answers.begin(), answers.begin() + static_cast<std::ptrdiff_t>(count),
                                             [](auto answer) { return answer == ExactRequester::Answer::there; });
  }
  return areAllThere;
}

void SockDiagPoller::seeOthersUnchanged() {
  m_batch.countUnchanged(m_table.size() - m_table.seenInThisDump());
  m_table.seeAllUnchanged(m_access.now());
}

void SockDiagPoller::reportUnchanged(const ObservationSink& sink) {
  if (m_phase != Phase::idle) return;
  m_table.beginDump();
  seeOthersUnchanged();
  endDump(sink);
}

void SockDiagPoller::stepDump(const ObservationSink& sink) {
  using Outcome = DiagConversation::Outcome;
  const Outcome outcome = m_requests->receive(
      m_gaps,
      [this, &sink](std::span<const std::byte> payload, Moment takenAt) { seeMessage(payload, takenAt, sink); });
  switch (outcome) {
    case Outcome::more:
      break;
    case Outcome::done:
      beginChecks();
      break;
    case Outcome::nothing:
      if (!m_requests->channel().waitReadable(kNetlinkAnswerTimeout)) giveUpDump();
      break;
    case Outcome::refused:
      m_gaps.add(GapKind::requestRefused);
      beginChecks();
      break;
    case Outcome::broken:
      giveUpDump();
      break;
  }
}

void SockDiagPoller::beginChecks() {
  if (m_requests->interrupted()) {
    m_interrupted = true;
    m_gaps.add(GapKind::dumpInterrupted);
  }
  m_phase = Phase::checking;
  m_checksLeft = m_settings.checksPerDump;
}

void SockDiagPoller::giveUpDump() {
  m_gaps.add(GapKind::requestRefused);
  m_phase = Phase::idle;
  Expected<NetlinkChannelPointer, NetlinkError> channel = m_access.openRequests();
  if (channel) {
    m_requests = std::make_unique<DiagConversation>(std::move(*channel), m_access.now);
  } else {
    m_phase = Phase::broken;
  }
}

void SockDiagPoller::seeMessage(std::span<const std::byte> payload, Moment takenAt, const ObservationSink& sink) {
  const std::optional<DiagDigest> digest = digestOf(payload, m_layout);
  if (!digest || digest->cookie == 0) {
    m_gaps.add(GapKind::malformedMessage);
    return;
  }
  const SocketTable::Sighting sighting = m_table.see(digest->cookie, digest->digest, takenAt);
  if (sighting.changed) {
    takeChanged(payload, takenAt, sighting, digest->cookie);
    if (m_batch.isFull()) m_batch.flush(sink, m_gaps, m_table, std::nullopt);
  } else if (sighting.repeated) {
    m_gaps.add(GapKind::repeatedSocket);
  } else if (sighting.refused) {
    m_gaps.add(GapKind::socketBudget);
  } else {
    m_batch.countUnchanged();
  }
}

void SockDiagPoller::takeChanged(std::span<const std::byte> payload, Moment takenAt,
                                 const SocketTable::Sighting& sighting, std::uint64_t cookie) {
  SocketObservation& observation = m_batch.add(sighting.slot);
  if (!decodeDiagMessage(payload, context(takenAt), observation)) {
    m_gaps.add(GapKind::malformedMessage);
    m_batch.dropLast();
    // Not remembered as seen well: the next dump tries it again.
    if (sighting.isNew) {
      m_table.remove(cookie);
    } else {
      m_table.forgetDigest(sighting.slot);
    }
    return;
  }
  observation.unchangedUntil = sighting.before;
  m_table.setAddress(sighting.slot,
                     {observation.id, observation.local, observation.remote, observation.interfaceIndex});
}

std::span<const SocketAddress> SockDiagPoller::takeMissing(SocketBlock& block) {
  std::size_t count = 0;
  const bool isAnyMissing = m_table.seenInThisDump() < m_table.size();
  while (isAnyMissing && m_checksLeft > 0 && count < block.size()) {
    m_checkFrom = m_table.nextMissing(m_checkFrom);
    if (m_checkFrom == SocketTable::kNoSlot) {
      m_checkFrom = 0;
      break;
    }
    block.at(count++) = m_table.address(m_checkFrom++);
    --m_checksLeft;
  }
  return std::span(block).first(count);
}

ExactRequester::Answers SockDiagPoller::askFor(std::span<const SocketAddress> sockets, const ObservationSink& sink) {
  const ExactRequester::Answers answers = m_exact.ask(
      sockets, m_gaps,
      [this, &sink](std::span<const std::byte> payload, Moment takenAt) { seeMessage(payload, takenAt, sink); });
  if (m_exact.isBroken()) m_phase = Phase::broken;
  return answers;
}

void SockDiagPoller::stepCheck(const ObservationSink& sink) {
  SocketBlock block;
  const std::span<const SocketAddress> missing = takeMissing(block);
  if (!missing.empty()) closeGone(missing, askFor(missing, sink), sink);
  const bool isOver = missing.size() < block.size() && m_phase == Phase::checking;
  if (isOver) endDump(sink);
}

void SockDiagPoller::closeGone(std::span<const SocketAddress> sockets, const ExactRequester::Answers& answers,
                               const ObservationSink& sink) {
  for (std::size_t index = 0; index < sockets.size(); ++index) {
    // Without space for it, it stays in the table: later checks find it gone again.
    if (answers.at(index) != ExactRequester::Answer::gone || !m_batch.hasSpaceForClosed()) continue;
    m_table.remove(sockets[index].id.cookie);
    m_batch.addClosed({sockets[index].id, m_access.now(), std::nullopt});
    if (m_batch.isFull()) m_batch.flush(sink, m_gaps, m_table, std::nullopt);
  }
}

void SockDiagPoller::endDump(const ObservationSink& sink) {
  m_phase = Phase::idle;
  m_batch.flush(sink, m_gaps, m_table, m_access.now());
}

bool SockDiagPoller::takeDestroyed(const ObservationSink& sink) {
  if (!m_destroyed) return true;
  bool isDrained = false;
  for (std::size_t count = 0; count < kMaxEventsAtOnce && !isDrained; ++count) {
    const Expected<std::size_t, NetlinkError> size = m_destroyed->receive(m_eventBuffer);
    if (size) {
      seeDestroyed(std::span<const std::byte>(m_eventBuffer).first(*size), m_access.now());
    } else if (size.error().kind == NetlinkError::Kind::overflow) {
      m_gaps.add(GapKind::receiveBufferOverflow);
    } else {
      isDrained = true;
    }
    if (m_batch.isFull()) m_batch.flush(sink, m_gaps, m_table, std::nullopt);
  }
  if (m_phase == Phase::idle && !m_batch.isEmpty()) m_batch.flush(sink, m_gaps, m_table, std::nullopt);
  return isDrained;
}

bool SockDiagPoller::mayBeWanted(const SocketObservation& destroyed) const {
  // It is closed now and its earlier states are unknown: only a filter for listeners rules it out.
  return (m_stateMask & ~kListening) != 0 && addressesMayMatch(m_filter, destroyed);
}

void SockDiagPoller::seeDestroyed(std::span<const std::byte> datagram, Moment at) {
  NetlinkMessages messages(datagram);
  while (const std::optional<NetlinkMessage> message = messages.next()) {
    if (message->header.nlmsg_type != SOCK_DIAG_BY_FAMILY) {
      m_gaps.add(GapKind::foreignMessage);
      continue;
    }
    SocketObservation last;
    if (!decodeDiagMessage(message->payload, context(at), last) || last.id.cookie == 0) {
      m_gaps.add(GapKind::malformedMessage);
      continue;
    }
    if (!m_batch.hasSpaceForClosed()) {
      // The checks after a dump find those gone that are in the table.
      m_gaps.add(GapKind::queueFull);
      continue;
    }
    if (!m_table.remove(last.id.cookie) && !mayBeWanted(last)) continue;
    const ConnectionId id = last.id;
    m_batch.addClosed({id, at, last});
  }
  if (messages.cut()) m_gaps.add(GapKind::malformedMessage);
}

}  // namespace tcpscope
