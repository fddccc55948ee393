#include "core/session/row_pages.h"

namespace tcpscope {

ConnectionRow& RowPages::writable(std::uint32_t slot) {
  const std::size_t page = slot / kRowsPerPage;
  while (page >= m_pages.size()) {
    m_pages.push_back(std::make_shared<RowPage>());
    m_published.push_back(false);
  }
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
