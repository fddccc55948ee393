#include "core/wire/flow/retransmission_log.h"

#include <algorithm>

namespace tcpscope {

namespace {

SequenceRange rangeOf(const Retransmission& retransmission) {
  return {retransmission.begin, retransmission.begin + std::max(retransmission.payloadBytes, 1U)};
}

}  // namespace

void RetransmissionLog::add(const Retransmission& retransmission, const SendingOrder& order,
                            const SendingOrder& afterHole) {
  m_counts.add(retransmission.cause());
  const Recent recent{retransmission, order, afterHole, static_cast<std::uint32_t>(m_listed.size())};
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

std::optional<Retransmission> RetransmissionLog::takeLateOriginal(SequenceRange range, const SendingOrder& order) {
  for (std::size_t back = 1; back <= m_recent.size(); ++back) {
    Recent& one = fromNewest(back);
    if (!rangeOf(one.retransmission).overlaps(range)) continue;
    if (one.retransmission.originalWasSeen || one.retransmission.payloadBytes == 0) continue;
    // A repair that was overtaken by the next one was sent later than that.
    if (!one.afterHole.isAfter(order).value_or(false)) return std::nullopt;
    const Retransmission before = one.retransmission;
    change(one, [](Retransmission& retransmission) { retransmission.originalWasSeen = true; });
    noteSpurious(one);
    return before;
  }
  return std::nullopt;
}

void RetransmissionLog::markReported(SequenceRange range) {
  std::uint64_t bytesLeft = range.bytes();
  SequenceRanges reported;
  for (std::size_t back = 1; back <= m_recent.size() && bytesLeft > 0; ++back) {
    Recent& one = fromNewest(back);
    const SequenceRange own = rangeOf(one.retransmission);
    const SequenceRange shared{std::max(own.begin, range.begin), std::min(own.end, range.end)};
    if (one.isReported || shared.isEmpty()) continue;
    const std::uint64_t added = reported.add(shared);
    if (added == 0) continue;
    bytesLeft -= added;
    // Of one that an adapter cut into packets the rest may be reported yet.
    one.isReported = range.end >= own.end;
    noteSpurious(one);
  }
}

void RetransmissionLog::markOvertaken(const SequenceRange& held, const SequenceRanges& before, WallTime since) {
  for (std::size_t back = 1; back <= m_recent.size(); ++back) {
    Recent& one = fromNewest(back);
    if (one.retransmission.time <= since) return;
    const SequenceRange own = rangeOf(one.retransmission);
    const bool isHeld = held.begin <= own.begin && own.end <= held.end && !before.contains(own);
    // Where the first was lost before the capture point, nothing else can have come.
    if (isHeld && one.retransmission.originalWasSeen) noteSpurious(one);
  }
}

bool RetransmissionLog::markByEcho(SequenceRange range, std::uint32_t echo) {
  for (std::size_t back = 1; back <= m_recent.size(); ++back) {
    Recent& one = fromNewest(back);
    if (one.retransmission.isSpurious || !rangeOf(one.retransmission).overlaps(range)) continue;
    return one.order.timestamp != 0 && isBefore(echo, one.order.timestamp) && noteSpurious(one);
  }
  return false;
}

void RetransmissionLog::changeNewestTrigger(RetransmissionCause trigger) {
  if (m_recent.empty()) return;
  change(fromNewest(1), [trigger](Retransmission& retransmission) { retransmission.trigger = trigger; });
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

template <class Change>
void RetransmissionLog::change(Recent& recent, Change change) {
  const RetransmissionCause before = recent.retransmission.cause();
  change(recent.retransmission);
  m_counts.move(before, recent.retransmission.cause());
  if (recent.listedAt < m_listed.size()) m_listed[recent.listedAt] = recent.retransmission;
}

bool RetransmissionLog::noteSpurious(Recent& recent) {
  if (recent.retransmission.isSpurious) return false;
  change(recent, [](Retransmission& retransmission) { retransmission.isSpurious = true; });
  m_spurious.push_back(recent.retransmission);
  return true;
}

}  // namespace tcpscope
