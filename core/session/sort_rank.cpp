#include "core/session/sort_rank.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tcpscope {

namespace {

constexpr unsigned kKeyBits = 62;
constexpr unsigned kBitsOfFigure = 32;
constexpr std::uint64_t kKeyMask = (std::uint64_t{1} << kKeyBits) - 1;
constexpr std::uint64_t kClosed = std::uint64_t{1} << kKeyBits;
constexpr std::uint64_t kNotPinned = kClosed << 1;

/// In the order of the numbers, the unknown (NaN) below all that are not negative.
std::uint64_t ordered(float figure) {
  const float known = std::isnan(figure) ? -1.0F : figure + 0.0F;  // the sum makes -0 a 0
  const auto bits = std::bit_cast<std::uint32_t>(known);
  constexpr std::uint32_t kSign = 0x80000000U;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

float bulkRate(const ConnectionFigures& figures) {
  return figures.bulk == Side::sending ? figures.sendRateBps : figures.receiveRateBps;
}

std::uint64_t ascendingKey(SortKey key, const ConnectionFacts& facts, const ConnectionFigures& figures) {
  switch (key) {
    case SortKey::state:
      return static_cast<std::uint64_t>(facts.state);
    case SortKey::sendRate:
      return ordered(figures.sendRateBps);
    case SortKey::receiveRate:
      return ordered(figures.receiveRateBps);
    case SortKey::rate:
      return ordered(bulkRate(figures));
    case SortKey::rtt:
      return ordered(figures.rttUs);
    case SortKey::retransmitted:
      return ordered(figures.retransmittedRatio);
    case SortKey::limit:
      // From what says least to what says most.
      return !hasShare(figures.limit) ? static_cast<std::uint64_t>(figures.limit) + 1
                                      : kLimitCount - static_cast<std::uint64_t>(figures.limit);
    case SortKey::place:
      return facts.id.place.number;
    case SortKey::duration:
      return static_cast<std::uint64_t>(std::max<std::int64_t>((facts.closedAt - facts.firstSeen).count(), 0)) &
             kKeyMask;
    case SortKey::sentBytes:
      return ordered(figures.sentBytes);
    case SortKey::receivedBytes:
      return ordered(figures.receivedBytes);
    case SortKey::worst:
      return std::uint64_t{figures.severity} << kBitsOfFigure |
             ordered(std::fmax(figures.sentBytes, 0.0F) + std::fmax(figures.receivedBytes, 0.0F));
    case SortKey::verdict:
      return std::uint64_t{figures.severity} << kBitsOfFigure | ordered(bulkRate(figures));
    case SortKey::age:
      return kKeyMask - (static_cast<std::uint64_t>(facts.firstSeen.nanoseconds()) & kKeyMask);
    case SortKey::process:
    case SortKey::local:
    case SortKey::remote:
      break;
  }
  return 0;
}

}  // namespace

bool isNumber(SortKey key) {
  return key != SortKey::process && key != SortKey::local && key != SortKey::remote;
}

SortRank sortRank(const SessionControl& control, const ConnectionFacts& facts, const ConnectionFigures& figures) {
  std::uint64_t key = ascendingKey(control.sortKey, facts, figures);
  if (control.sortDescending) key = kKeyMask - key;
  if (facts.closed) key |= kClosed;
  if (control.grouping == Grouping::none && !facts.pinned) key |= kNotPinned;
  return {key, facts.id.cookie};
}

}  // namespace tcpscope
