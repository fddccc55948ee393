// The rows of the list in pages that snapshots share.
//
// A page that was published is never written again: the first write after it copies the page.
#pragma once

#include "core/base/prefetch.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

template <class Part>
class SharedPages {
public:
  SharedPages() = default;
  /// Shares what is never written again, and has pages of its own for the rest.
  SharedPages(const SharedPages& other) : m_pages(other.m_pages), m_published(other.m_published) {
    for (std::size_t page = 0; page < m_pages.size(); ++page) {
      if (!m_published[page]) m_pages[page] = std::make_shared<RowPage<Part>>(*m_pages[page]);
    }
  }
  SharedPages(SharedPages&&) noexcept = default;
  SharedPages& operator=(const SharedPages& other) { return *this = SharedPages(other); }
  SharedPages& operator=(SharedPages&&) noexcept = default;
  ~SharedPages() = default;

  [[nodiscard]] bool holds(std::uint32_t slot) const { return slot / kRowsPerPage < m_pages.size(); }
  [[nodiscard]] const Part& at(std::uint32_t slot) const {
    return (*m_pages[slot / kRowsPerPage])[slot % kRowsPerPage];
  }
  void prefetch(std::uint32_t slot) const {
    if (holds(slot)) tcpscope::prefetch(&at(slot), sizeof(Part));
  }
  /// The slot to write to, made with as many pages as it takes.
  [[nodiscard]] Part& writable(std::uint32_t slot) {
    const std::size_t page = slot / kRowsPerPage;
    while (page >= m_pages.size()) {
      m_pages.push_back(std::make_shared<RowPage<Part>>());
      m_published.push_back(false);
    }
    if (m_published[page]) {
      m_pages[page] = std::make_shared<RowPage<Part>>(*m_pages[page]);
      m_published[page] = false;
    }
    return (*m_pages[page])[slot % kRowsPerPage];
  }
  /// What a snapshot holds from now on.
  [[nodiscard]] RowPageList<Part> publish() {
    m_published.assign(m_pages.size(), true);
    return {m_pages.begin(), m_pages.end()};
  }

private:
  std::vector<std::shared_ptr<RowPage<Part>>> m_pages;
  std::vector<bool> m_published;
};

class RowPages {
public:
  [[nodiscard]] bool holds(std::uint32_t slot) const { return m_facts.holds(slot); }
  [[nodiscard]] const ConnectionFacts& facts(std::uint32_t slot) const { return m_facts.at(slot); }
  [[nodiscard]] const ConnectionFigures& figures(std::uint32_t slot) const { return m_figures.at(slot); }

  /// Has the row loaded into the cache.
  void prefetch(std::uint32_t slot) const {
    m_facts.prefetch(slot);
    m_figures.prefetch(slot);
  }
  /// A page of facts is copied only where a fact is another.
  void set(std::uint32_t slot, const ConnectionRow& row) {
    if (!m_facts.holds(slot) || m_facts.at(slot) != row) m_facts.writable(slot) = row;
    m_figures.writable(slot) = row;
  }
  void publish(SessionSnapshot& snapshot) {
    snapshot.facts = m_facts.publish();
    snapshot.figures = m_figures.publish();
  }

private:
  SharedPages<ConnectionFacts> m_facts;
  SharedPages<ConnectionFigures> m_figures;
};

}  // namespace tcpscope
