// A session without threads, for commands that sample for a while and then report: the caller polls, and may ask for
// the details of every connection at the end.
#pragma once

#include <memory>
#include <vector>

#include "app/session/local_place.h"
#include "app/session/other_namespaces.h"
#include "app/session/session_recorder.h"

namespace tcpscope {

class PolledSession {
public:
  static Expected<std::unique_ptr<PolledSession>, SystemError> open(const LocalPlace& place,
                                                                    const LocalSessionSettings& settings);

  void setControl(const SessionControl& control) { m_session.setControl(control); }
  /// One dump into the analysis, and at most once a second a look at the place's settings. False when the kernel
  /// answers no more.
  bool poll();
  /// Null where only one namespace is looked at.
  [[nodiscard]] OtherNamespaces* others() { return m_others ? &*m_others : nullptr; }
  /// What is seen from now on goes there, too, behind what is known until now; null for nowhere.
  void recordInto(std::shared_ptr<SessionRecorder> recorder);
  /// Owners of what is new since the last call, and the locked buffers of connections that carry data. Blocks on /proc.
  void askProcesses();
  std::shared_ptr<const SessionSnapshot> tick();
  /// Empty unless the budget asks for them.
  std::vector<PathSighting> takePathSightings(PathPoll when);
  [[nodiscard]] const AnalysisSession& session() const { return m_session; }
  /// In the snapshot's order.
  [[nodiscard]] std::vector<std::shared_ptr<const ConnectionDetail>> details(const SessionSnapshot& snapshot) const;

private:
  PolledSession(const LocalPlace& place, const LocalSessionSettings& settings, std::unique_ptr<SockDiagPoller> poller);
  void accept(const ObservationBatch& batch);
  void askAboutPrograms();
  void answer();
  void lookAtSettings();

  AnalysisSession m_session;
  std::unique_ptr<SockDiagPoller> m_poller;
  std::optional<OtherNamespaces> m_others;
  std::shared_ptr<SessionRecorder> m_recorder;
  OwnerQuestions m_questions;
  ProcessAnswers m_answers;
  PlaceId m_place;
  SettingsWatch m_settings;
  Moment m_settingsDue;
};

}  // namespace tcpscope
