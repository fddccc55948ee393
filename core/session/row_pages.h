// The rows of the list in pages that snapshots share.
//
// A page that was published is never written again: the first write after it copies the page.
#pragma once

#include <memory>
#include <vector>

#include "core/session/session_snapshot.h"

namespace tcpscope {

class RowPages {
public:
  [[nodiscard]] const ConnectionRow& row(std::uint32_t slot) const {
    return (*m_pages[slot / kRowsPerPage])[slot % kRowsPerPage];
  }
  /// The row of a slot, made with as many pages as it takes.
  [[nodiscard]] ConnectionRow& writable(std::uint32_t slot);
  [[nodiscard]] std::size_t slots() const { return m_pages.size() * kRowsPerPage; }

  /// What a snapshot holds from now on.
  [[nodiscard]] std::vector<std::shared_ptr<const RowPage>> publish();

private:
  std::vector<std::shared_ptr<RowPage>> m_pages;
  std::vector<bool> m_published;
};

}  // namespace tcpscope
