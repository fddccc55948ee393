// Snapshots for tests of the desktop, drawn as a list: one connection a row in the order to show.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/session/row_pages.h"

namespace tcpscope::test {

struct DrawnRow {
  std::uint64_t cookie;
  float sendRateBps = 0.0F;
  std::uint8_t severity = 0;
  TcpState state = TcpState::established;
};

inline ConnectionRow connectionRow(const DrawnRow& drawn) {
  ConnectionRow row;
  row.id = {PlaceId{0}, drawn.cookie};
  row.local = {IpAddress::v4({192, 0, 2, 1}), static_cast<std::uint16_t>(drawn.cookie)};
  row.remote = {IpAddress::v4({198, 51, 100, 2}), 443};
  row.state = drawn.state;
  row.severity = drawn.severity;
  row.sendRateBps = drawn.sendRateBps;
  return row;
}

/// Groups: label and number of rows, one after the other.
inline std::shared_ptr<const SessionSnapshot> snapshotOf(
    const std::vector<DrawnRow>& rows, const std::vector<std::pair<std::string, std::size_t>>& groups = {}) {
  auto snapshot = std::make_shared<SessionSnapshot>();
  auto order = std::make_shared<std::vector<std::uint32_t>>();
  RowPages pages;
  for (std::size_t slot = 0; slot < rows.size(); ++slot) {
    pages.set(static_cast<std::uint32_t>(slot), connectionRow(rows[slot]));
    order->push_back(static_cast<std::uint32_t>(slot));
  }
  pages.publish(*snapshot);
  auto runs = std::make_shared<std::vector<RowGroup>>();
  std::size_t first = 0;
  for (const auto& [label, size] : groups) {
    runs->push_back({UntrustedText(label), first, size});
    first += size;
  }
  snapshot->order = order;
  snapshot->groups = runs;
  snapshot->totalRows = rows.size();
  return snapshot;
}

}  // namespace tcpscope::test
