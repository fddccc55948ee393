#include "core/flow/retransmission_log.h"

#include <algorithm>

namespace tcpscope {

namespace {

SequenceRange rangeOf(const Retransmission& retransmission) {
  return {retransmission.begin, retransmission.begin + std::max(retransmission.payloadBytes, 1U)};
}

}  // namespace

void RetransmissionLog::add(const Retransmission& retransmission, std::uint32_t timestamp) {
  m_counts.add(retransmission.cause());
  const Recent recent{retransmission, timestamp, static_cast<std::uint32_t>(m_listed.size())};
  if (m_recent.size() < kMaxRecent) {
    m_recent.push_back(recent);
  } else {
    m_recent[m_nextRecent] = recent;
  }
  m_nextRecent = (m_nextRecent + 1) % kMaxRecent;
  if (m_listed.size() < kMaxListed) {
    m_listed.push_back(retransmission);
  } else {
    ++m_leftOut;
  }
}

bool RetransmissionLog::markSpurious(const SequenceRange& range) {
  Recent* recent = newestIn(range);
  if (recent == nullptr) return false;
  markSpurious(*recent);
  return true;
}

bool RetransmissionLog::markSpuriousByEcho(const SequenceRange& range, std::uint32_t echo) {
  Recent* recent = newestIn(range);
  if (recent == nullptr || recent->timestamp == 0 || !isBefore(echo, recent->timestamp)) return false;
  markSpurious(*recent);
  return true;
}

void RetransmissionLog::changeNewestTrigger(RetransmissionCause trigger) {
  if (m_recent.empty()) return;
  Recent& newest = m_recent[(m_nextRecent + kMaxRecent - 1) % kMaxRecent];
  change(newest, [trigger](Retransmission& retransmission) { retransmission.trigger = trigger; });
}

void RetransmissionLog::changeTriggers(RetransmissionCause from, RetransmissionCause to) {
  for (Recent& recent : m_recent) {
    if (recent.retransmission.trigger != from) continue;
    change(recent, [to](Retransmission& retransmission) { retransmission.trigger = to; });
  }
}

const Retransmission* RetransmissionLog::newest() const {
  if (m_recent.empty()) return nullptr;
  return &m_recent[(m_nextRecent + kMaxRecent - 1) % kMaxRecent].retransmission;
}

RetransmissionLog::Recent* RetransmissionLog::newestIn(const SequenceRange& range) {
  for (std::size_t back = 1; back <= m_recent.size(); ++back) {
    Recent& recent = m_recent[(m_nextRecent + kMaxRecent - back) % kMaxRecent];
    if (!recent.retransmission.isSpurious && rangeOf(recent.retransmission).overlaps(range)) return &recent;
  }
  return nullptr;
}

template <class Change>
void RetransmissionLog::change(Recent& recent, Change change) {
  const RetransmissionCause before = recent.retransmission.cause();
  change(recent.retransmission);
  m_counts.move(before, recent.retransmission.cause());
  if (recent.listedAt < m_listed.size()) m_listed[recent.listedAt] = recent.retransmission;
}

void RetransmissionLog::markSpurious(Recent& recent) {
  change(recent, [](Retransmission& retransmission) { retransmission.isSpurious = true; });
}

}  // namespace tcpscope
