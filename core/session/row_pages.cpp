#include "core/session/row_pages.h"

namespace tcpscope {

std::uint32_t RowPages::allocate() {
  if (m_free.empty()) {
    const auto first = static_cast<std::uint32_t>(slots());
    m_pages.push_back(std::make_shared<RowPage>());
    m_published.push_back(false);
    for (std::uint32_t index = kRowsPerPage; index > 0; --index) m_free.push_back(first + index - 1);
  }
  const std::uint32_t slot = m_free.back();
  m_free.pop_back();
  writable(slot) = ConnectionRow{};
  return slot;
}

void RowPages::release(std::uint32_t slot) {
  m_free.push_back(slot);
}

ConnectionRow& RowPages::writable(std::uint32_t slot) {
  const std::size_t page = slot / kRowsPerPage;
  if (m_published[page]) {
    m_pages[page] = std::make_shared<RowPage>(*m_pages[page]);
    m_published[page] = false;
  }
  return (*m_pages[page])[slot % kRowsPerPage];
}

std::vector<std::shared_ptr<const RowPage>> RowPages::publish() {
  m_published.assign(m_pages.size(), true);
  return {m_pages.begin(), m_pages.end()};
}

}  // namespace tcpscope
