// A recording read at once into an analysis, for commands that report on it: no thread, no clock but the recording's.
#pragma once

#include <filesystem>
#include <limits>

#include "app/session/recording_cursor.h"
#include "core/session/analysis_session.h"
#include "core/session/recording_facts.h"

namespace tcpscope {

class RecordedSession {
public:
  /// Reads all of the file. Every verdict looks back over the whole of it.
  static Expected<std::unique_ptr<RecordedSession>, SystemError> read(const std::filesystem::path& path,
                                                                      const SessionControl& control);

  [[nodiscard]] const Place& place() const { return m_cursor.hello().place; }
  /// Reads nothing yet: the caller goes on by readUntil(). The budget is cut to that of an untrusted place.
  static Expected<std::unique_ptr<RecordedSession>, SystemError> open(const std::filesystem::path& path,
                                                                      const SessionControl& control,
                                                                      const SessionBudget& budget);

  /// What came up to this moment of the recording. False at its end.
  bool readUntil(Moment recorded);
  /// What is known of the connections where reading stopped.
  [[nodiscard]] const AnalysisSession& session() const { return m_session; }
  /// What was known at that moment, or when the recording ended if it ended before.
  std::shared_ptr<const SessionSnapshot> at(Moment recorded);
  /// What was known when the recording ended.
  std::shared_ptr<const SessionSnapshot> atEnd();
  [[nodiscard]] const ClockPair& clock() const { return m_cursor.hello().clock; }
  /// Of what was read of it.
  [[nodiscard]] RecordingFacts facts() const;
  [[nodiscard]] WallTime endedAt() const { return clock().wallAt(m_cursor.upTo()); }
  /// In the snapshot's order.
  [[nodiscard]] std::vector<std::shared_ptr<const ConnectionDetail>> details(const SessionSnapshot& snapshot) const;

private:
  RecordedSession(RecordingCursor cursor, const SessionControl& control, const SessionBudget& budget);
  void noteDamage(const ObservationBatch& batch);

  RecordingCursor m_cursor;
  AnalysisSession m_session;
  std::size_t m_damages = 0;
  std::optional<Moment> m_firstDamage;
  /// What was read last was damage: nothing follows it yet.
  bool m_endsInDamage = false;
};

/// Of what a file or another host reports, which may name any number of connections, so many details are held at once.
inline constexpr std::size_t kMostUntrustedDetails = 20'000;

/// Calls `use` with the full picture of each connection of the snapshot, in its order, one after the other.
template <class Use>
void forEachDetail(const AnalysisSession& session, const SessionSnapshot& snapshot, Use&& use) {
  for (const std::uint32_t slot : *snapshot.order) {
    if (auto detail = session.detail(snapshot.id(slot))) use(std::move(detail));
  }
}

/// The full picture of the first `most` connections of the snapshot, in its order. Each takes some 4 KB.
std::vector<std::shared_ptr<const ConnectionDetail>> detailsOf(
    const AnalysisSession& session, const SessionSnapshot& snapshot,
    std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace tcpscope
