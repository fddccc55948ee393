// What was known at some moments of a recording, kept so that a seek to a moment between them reads on from there
// rather than from the beginning.
//
// One thread adds them, another restores them. Bounded: where they are too many or too large every second one is
// removed, and a seek takes longer.
#pragma once

#include <memory>
#include <mutex>

#include "app/session/recording_cursor.h"
#include "core/session/analysis_session.h"

namespace tcpscope {

struct ReplayCheckpoint {
  /// The latest moment that something was read of.
  Moment upTo;
  /// One a recording.
  std::vector<CursorPosition> cursors;
  std::unique_ptr<const AnalysisSession> session;
};

struct CheckpointLimits {
  /// Of what each has for itself, all together.
  std::size_t ownBytes = 256U << 20;
  /// Of the histories that they share: some hours of the busiest connections.
  std::size_t historyBytes = 512U << 20;
};

class ReplayCheckpoints {
public:
  static constexpr std::size_t kMost = 128;

  /// Some 20 ms of reading.
  static constexpr std::size_t kUsualSpacing = 8192;

  explicit ReplayCheckpoints(std::size_t spacing = kUsualSpacing, CheckpointLimits limits = {})
      : m_limits(limits), m_spacing(spacing) {}

  /// How many observations shall lie between one and the next.
  [[nodiscard]] std::size_t spacing() const;
  /// In order of time.
  void add(std::shared_ptr<const ReplayCheckpoint> checkpoint);
  /// Null where there is none at or before the moment.
  [[nodiscard]] std::shared_ptr<const ReplayCheckpoint> latest(Moment moment) const;
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] const CheckpointLimits& limits() const { return m_limits; }

private:
  struct Entry {
    std::shared_ptr<const ReplayCheckpoint> checkpoint;
    std::size_t ownBytes = 0;
  };
  void thinOut();

  const CheckpointLimits m_limits;
  mutable std::mutex m_mutex;
  std::size_t m_spacing;
  std::vector<Entry> m_entries;
  std::size_t m_ownBytes = 0;
};

}  // namespace tcpscope
