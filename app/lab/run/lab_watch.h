// Both ends of a running lab's connections through the eyes of its agents: a session over all hosts, each a place.
//
// Verdicts look back over between one and two halves of the span that it is started with.
#pragma once

#include <memory>
#include <utility>

#include "app/lab/engine/lab_process.h"
#include "app/session/live_session.h"
#include "core/base/system_error.h"

namespace tcpscope::lab {

using DetailPointer = std::shared_ptr<const ConnectionDetail>;

/// A connection of the traffic as its two ends see it; null where an end has not been seen.
struct WatchedTransfer {
  DetailPointer sender;
  DetailPointer receiver;
};

class LabWatch {
public:
  static Expected<std::unique_ptr<LabWatch>, SystemError> start(const LabProcess& lab, Nanoseconds verdictSpan);

  /// Keeps the full record of these connections from now on, as soon as both ends are seen.
  void follow(const std::vector<TransferRecord>& transfers);
  /// True when every followed connection is seen at both ends.
  [[nodiscard]] bool seesAll() const;
  /// True when the newest picture is of this moment or later.
  [[nodiscard]] bool knows(Moment moment) const;
  /// In the order they were followed.
  [[nodiscard]] std::vector<WatchedTransfer> transfers() const;
  [[nodiscard]] std::vector<Place> places() const;
  /// What the agents say from now on goes there, too; null for nowhere.
  void recordInto(std::shared_ptr<SessionRecorder> recorder) { m_session->recordInto(std::move(recorder)); }

private:
  explicit LabWatch(std::unique_ptr<LiveSession> session, SessionControl control)
      : m_session(std::move(session)), m_control(std::move(control)) {}
  [[nodiscard]] DetailPointer detailOf(const SessionSnapshot& snapshot, const Endpoint& local,
                                       const Endpoint& remote) const;

  std::unique_ptr<LiveSession> m_session;
  SessionControl m_control;
  std::vector<TransferRecord> m_followed;
};

}  // namespace tcpscope::lab
