#include "ui/models/connection_rows.h"

#include <algorithm>

namespace tcpscope {

ConnectionRows::ConnectionRows(SnapshotPointer snapshot) : m_snapshot(std::move(snapshot)) {
  if (m_snapshot == nullptr || m_snapshot->order == nullptr) return;
  if (m_snapshot->groups != nullptr) {
    m_headings.reserve(m_snapshot->groups->size());
    for (const RowGroup& group : *m_snapshot->groups)
      m_headings.push_back(static_cast<int>(group.first + m_headings.size()));
  }
  m_count = static_cast<int>(m_snapshot->order->size() + m_headings.size());
}

std::size_t ConnectionRows::headingsUpTo(int row) const {
  return static_cast<std::size_t>(std::upper_bound(m_headings.begin(), m_headings.end(), row) - m_headings.begin());
}

std::optional<std::uint32_t> ConnectionRows::slot(int row) const {
  if (row < 0 || row >= m_count || heading(row) != nullptr) return std::nullopt;
  return (*m_snapshot->order)[static_cast<std::size_t>(row) - headingsUpTo(row)];
}

std::optional<ConnectionRow> ConnectionRows::connection(int row) const {
  const auto at = slot(row);
  return at ? std::optional(m_snapshot->row(*at)) : std::nullopt;
}

const RowGroup* ConnectionRows::heading(int row) const {
  const std::size_t above = headingsUpTo(row);
  if (above == 0 || m_headings[above - 1] != row) return nullptr;
  return &(*m_snapshot->groups)[above - 1];
}

std::optional<int> ConnectionRows::find(ConnectionId id, int guess) const {
  const auto isHere = [&](int row) {
    const auto at = slot(row);
    return at && m_snapshot->id(*at) == id;
  };
  if (isHere(guess)) return guess;
  for (int row = 0; row < m_count; ++row) {
    if (isHere(row)) return row;
  }
  return std::nullopt;
}

}  // namespace tcpscope
