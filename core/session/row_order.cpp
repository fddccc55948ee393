#include "core/session/row_order.h"

#include <algorithm>
#include <cmath>
#include <compare>

namespace tcpscope {

namespace {

/// Unknown (NaN) counts as the smallest.
std::strong_ordering compareFigures(float first, float second) {
  const float a = std::isnan(first) ? -1.0F : first;
  const float b = std::isnan(second) ? -1.0F : second;
  return a < b ? std::strong_ordering::less : a > b ? std::strong_ordering::greater : std::strong_ordering::equal;
}

float bulkRate(const ConnectionRow& row) {
  return row.bulk == Side::sending ? row.sendRateBps : row.receiveRateBps;
}

const std::string& processName(const RowOrder::Access& access, const ConnectionRow& row) {
  static const std::string kUnknown;
  const Owner* owner = access.owner(row);
  return owner == nullptr ? kUnknown : owner->processName.rawBytes();
}

std::strong_ordering compareKey(const RowOrder::Access& access, SortKey key, const ConnectionRow& a,
                                const ConnectionRow& b) {
  switch (key) {
    case SortKey::process:
      return processName(access, a) <=> processName(access, b);
    case SortKey::local:
      return a.local <=> b.local;
    case SortKey::remote:
      return a.remote <=> b.remote;
    case SortKey::state:
      return a.state <=> b.state;
    case SortKey::sendRate:
      return compareFigures(a.sendRateBps, b.sendRateBps);
    case SortKey::receiveRate:
      return compareFigures(a.receiveRateBps, b.receiveRateBps);
    case SortKey::rate:
      return compareFigures(bulkRate(a), bulkRate(b));
    case SortKey::rtt:
      return compareFigures(a.rttUs, b.rttUs);
    case SortKey::retransmitted:
      return compareFigures(a.retransmittedRatio, b.retransmittedRatio);
    case SortKey::limit:
      return b.limit <=> a.limit;
    case SortKey::age:
      return b.firstSeen <=> a.firstSeen;
  }
  return std::strong_ordering::equal;
}

std::strong_ordering compareGroup(const RowOrder::Access& access, Grouping grouping, const ConnectionRow& a,
                                  const ConnectionRow& b) {
  switch (grouping) {
    case Grouping::process:
      return processName(access, a) <=> processName(access, b);
    case Grouping::remote:
      return a.remote.address <=> b.remote.address;
    case Grouping::none:
      break;
  }
  return std::strong_ordering::equal;
}

bool comesBefore(const RowOrder::Access& access, const SessionControl& control, std::uint32_t first,
                 std::uint32_t second) {
  const ConnectionRow& a = access.rows.row(first);
  const ConnectionRow& b = access.rows.row(second);
  if (a.pinned != b.pinned && control.grouping == Grouping::none) return a.pinned;
  if (const auto group = compareGroup(access, control.grouping, a, b); group != 0) return group < 0;
  if (a.closed != b.closed) return b.closed;
  const auto key = compareKey(access, control.sortKey, a, b);
  if (key != 0) return control.sortDescending ? key > 0 : key < 0;
  // The age of a row does not change: rows with equal keys keep their places.
  return a.id < b.id;
}

}  // namespace

void RowOrder::update(const Access& access, const SessionControl& control, const std::vector<std::uint32_t>& changed,
                      const std::vector<bool>& shown, bool all) {
  if (changed.empty() && !all) return;
  const auto before = [&](std::uint32_t a, std::uint32_t b) { return comesBefore(access, control, a, b); };
  std::vector<std::uint32_t> fresh;
  std::vector<std::uint32_t> kept;
  if (all) {
    for (std::uint32_t slot = 0; slot < shown.size(); ++slot) {
      if (shown[slot]) fresh.push_back(slot);
    }
  } else {
    std::vector<bool> touched(shown.size(), false);
    for (const std::uint32_t slot : changed) touched[slot] = true;
    kept.reserve(m_order->size());
    for (const std::uint32_t slot : *m_order) {
      if (!touched[slot] && shown[slot]) kept.push_back(slot);
    }
    for (std::uint32_t slot = 0; slot < shown.size(); ++slot) {
      if (touched[slot] && shown[slot]) fresh.push_back(slot);
    }
  }
  std::sort(fresh.begin(), fresh.end(), before);
  auto merged = std::make_shared<std::vector<std::uint32_t>>(fresh.size() + kept.size());
  std::merge(kept.begin(), kept.end(), fresh.begin(), fresh.end(), merged->begin(), before);
  m_order = std::move(merged);
  findGroups(access, control.grouping);
}

void RowOrder::findGroups(const Access& access, Grouping grouping) {
  auto groups = std::make_shared<std::vector<RowGroup>>();
  if (grouping != Grouping::none) {
    for (std::size_t position = 0; position < m_order->size(); ++position) {
      const ConnectionRow& row = access.rows.row((*m_order)[position]);
      const bool opens = position == 0 || compareGroup(access, grouping, access.rows.row((*m_order)[position - 1]),
                                                       row) != std::strong_ordering::equal;
      if (opens) {
        const std::string label =
            grouping == Grouping::process ? processName(access, row) : row.remote.address.toString();
        groups->push_back({UntrustedText(label), position, 0});
      }
      ++groups->back().size;
    }
  }
  m_groups = std::move(groups);
}

}  // namespace tcpscope
