// When the analysis makes its next snapshot: soon after news, at least once a list interval, and never so often that
// making snapshots takes more than a fifth of its time. Time is passed in.
#pragma once

#include <algorithm>

#include "core/base/moment.h"
#include "core/base/units.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

class PublishPacer {
public:
  /// Somewhat less than the collector of the connection in focus gathers samples for: each of its batches is shown at
  /// once.
  static constexpr Milliseconds kShortestGap{45};

  explicit PublishPacer(Milliseconds listInterval) : m_listInterval(listInterval) {}

  void setListInterval(Milliseconds listInterval) { m_listInterval = listInterval; }
  /// Something came that people want to see.
  void noteNews() { m_news = true; }
  /// Half a dump is nothing that people want to see.
  void note(const ObservationBatch& batch) {
    const bool isNews = batch.dumpEndedAt || batch.turn != PlaceTurn::none || !batch.captures.empty() ||
                        batch.rate == SampleRate::focus || batch.isOfPrograms();
    m_news = m_news || isNews;
  }
  /// The next picture is awaited, however long the last one took.
  void hurry() { m_gap = kShortestGap; }
  [[nodiscard]] bool hasNews() const { return m_news; }
  [[nodiscard]] Moment due() const {
    return m_published + (m_news ? m_gap : std::max<Nanoseconds>(m_gap, m_listInterval));
  }
  void published(Moment began, Moment ended) {
    m_published = ended;
    m_gap = std::max<Nanoseconds>(kShortestGap, (ended - began) * 4);
    m_news = false;
  }

private:
  Nanoseconds m_listInterval;
  Nanoseconds m_gap = kShortestGap;
  Moment m_published;
  bool m_news = false;
};

}  // namespace tcpscope
