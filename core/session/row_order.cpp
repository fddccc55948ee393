#include "core/session/row_order.h"

#include <algorithm>
#include <compare>
#include <limits>
#include <numeric>
#include <utility>

namespace tcpscope {

namespace {

const std::string& processName(const RowOrder::Access& access, const ConnectionFacts& facts) {
  static const std::string kUnknown;
  const Owner* owner = access.owner(facts);
  return owner == nullptr ? kUnknown : owner->processName.rawBytes();
}

/// Of the keys that are no numbers.
std::strong_ordering compareText(const RowOrder::Access& access, SortKey key, const ConnectionFacts& a,
                                 const ConnectionFacts& b) {
  switch (key) {
    case SortKey::process:
      return processName(access, a) <=> processName(access, b);
    case SortKey::local:
      return a.local <=> b.local;
    case SortKey::remote:
      return a.remote <=> b.remote;
    default:
      return std::strong_ordering::equal;
  }
}

std::strong_ordering compareGroup(const RowOrder::Access& access, Grouping grouping, const ConnectionFacts& a,
                                  const ConnectionFacts& b) {
  switch (grouping) {
    case Grouping::process:
      return processName(access, a) <=> processName(access, b);
    case Grouping::remote:
      return a.remote.address <=> b.remote.address;
    case Grouping::place:
      return a.id.place <=> b.id.place;
    case Grouping::none:
      break;
  }
  return std::strong_ordering::equal;
}

UntrustedText labelOf(const RowOrder::Access& access, Grouping grouping, const ConnectionFacts& facts) {
  switch (grouping) {
    case Grouping::process:
      return UntrustedText(processName(access, facts));
    case Grouping::remote:
      return UntrustedText(facts.remote.address.toString());
    case Grouping::place:
    case Grouping::none:
      break;
  }
  return UntrustedText();
}

bool rankIsAll(const SessionControl& control) {
  return control.grouping == Grouping::none && isNumber(control.sortKey);
}

}  // namespace

bool RowOrder::comesBefore(const Access& access, const SessionControl& control, std::uint32_t a,
                           std::uint32_t b) const {
  const SortRank& rankA = m_ranks[a];
  const SortRank& rankB = m_ranks[b];
  const ConnectionFacts& factsA = access.rows.facts(a);
  const ConnectionFacts& factsB = access.rows.facts(b);
  if (const auto group = compareGroup(access, control.grouping, factsA, factsB); group != 0) return group < 0;
  if (rankA.key != rankB.key) return rankA.key < rankB.key;
  const auto text = compareText(access, control.sortKey, factsA, factsB);
  if (text != 0) return control.sortDescending ? text > 0 : text < 0;
  return factsA.id < factsB.id;
}

SortRank RowOrder::rankOf(const Access& access, const SessionControl& control, std::uint32_t slot, RowPlaces places) {
  const ConnectionFacts& facts = access.rows.facts(slot);
  const bool stays = m_isPlaced[slot] && m_ranks[slot].cookie == facts.id.cookie;
  if (places != RowPlaces::current) wait(slot);
  if (places != RowPlaces::current && stays) return m_ranks[slot];
  if (places == RowPlaces::keptWithNewLast) return {std::numeric_limits<std::uint64_t>::max(), facts.id.cookie};
  return sortRank(control, facts, access.rows.figures(slot));
}

void RowOrder::wait(std::uint32_t slot) {
  if (m_isWaiting[slot]) return;
  m_isWaiting[slot] = true;
  m_waiting.push_back(slot);
}

std::vector<std::uint32_t> RowOrder::withWaiting(const std::vector<std::uint32_t>& changed) {
  for (const std::uint32_t slot : changed) m_isWaiting[slot] = false;
  std::vector<std::uint32_t> both = changed;
  for (const std::uint32_t slot : std::exchange(m_waiting, {})) {
    if (m_isWaiting[slot]) both.push_back(slot);
    m_isWaiting[slot] = false;
  }
  return both;
}

std::vector<std::uint32_t> RowOrder::takeOut(const Access& access, const SessionControl& control,
                                             const std::vector<std::uint32_t>& changed, const std::vector<bool>& shown,
                                             RowPlaces places) {
  std::vector<std::uint32_t> fresh;
  const auto takeOutOne = [&](std::uint32_t slot) {
    if (!shown[slot]) {
      m_isPlaced[slot] = false;
      return;
    }
    const SortRank rank = rankOf(access, control, slot, places);
    if (m_isPlaced[slot] && rankIsAll(control) && rank == m_ranks[slot]) return;
    m_isPlaced[slot] = false;
    m_ranks[slot] = rank;
    fresh.push_back(slot);
  };
  // What is done with a row takes less time than a miss: many are loaded at once.
  constexpr std::size_t kAhead = 24;
  forEachPrefetched<kAhead>(std::span(changed), takeOutOne, [&](std::uint32_t slot) {
    access.rows.prefetch(slot);
    prefetch(&m_ranks[slot], sizeof(SortRank));
  });
  return fresh;
}

void RowOrder::update(const Access& access, const SessionControl& control, const std::vector<std::uint32_t>& changed,
                      const std::vector<bool>& shown, bool all, RowPlaces places) {
  if (all) places = RowPlaces::current;
  const bool someWait = places == RowPlaces::current && !m_waiting.empty();
  if (changed.empty() && !all && !someWait) return;
  m_ranks.resize(shown.size());
  m_isPlaced.resize(shown.size(), false);
  m_isWaiting.resize(shown.size(), false);
  std::vector<std::uint32_t> others;
  if (all) {
    m_isPlaced.assign(shown.size(), false);
    m_isWaiting.assign(shown.size(), false);
    m_waiting.clear();
    others.resize(shown.size());
    std::iota(others.begin(), others.end(), 0U);
  } else if (someWait) {
    others = withWaiting(changed);
  }
  std::vector<std::uint32_t> fresh = takeOut(access, control, all || someWait ? others : changed, shown, places);
  std::vector<std::uint32_t> kept;
  kept.reserve(m_order->size());
  for (const std::uint32_t slot : *m_order) {
    if (m_isPlaced[slot]) kept.push_back(slot);
  }
  if (fresh.empty() && kept.size() == m_order->size()) return;
  // Nearly all comparisons are of numbers alone, and read no row.
  const bool rankDecides = rankIsAll(control);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (rankDecides && m_ranks[a] != m_ranks[b]) return m_ranks[a] < m_ranks[b];
    return comesBefore(access, control, a, b);
  };
  std::sort(fresh.begin(), fresh.end(), before);
  auto merged = std::make_shared<std::vector<std::uint32_t>>(fresh.size() + kept.size());
  std::merge(kept.begin(), kept.end(), fresh.begin(), fresh.end(), merged->begin(), before);
  for (const std::uint32_t slot : fresh) m_isPlaced[slot] = true;
  m_order = std::move(merged);
  findGroups(access, control.grouping);
}

void RowOrder::findGroups(const Access& access, Grouping grouping) {
  auto groups = std::make_shared<std::vector<RowGroup>>();
  if (grouping != Grouping::none) {
    for (std::size_t position = 0; position < m_order->size(); ++position) {
      const ConnectionFacts& facts = access.rows.facts((*m_order)[position]);
      const bool opens = position == 0 || compareGroup(access, grouping, access.rows.facts((*m_order)[position - 1]),
                                                       facts) != std::strong_ordering::equal;
      if (opens) groups->push_back({labelOf(access, grouping, facts), position, 0});
      ++groups->back().size;
    }
  }
  m_groups = std::move(groups);
}

}  // namespace tcpscope
