// The demos of the desktop: starts a lab on the background queue, shows its session in place of the host's, compares
// verdict and answer, and brings the host's session back at the end.
//
// For the GUI thread, and never waits for the lab. The destructor ends the lab; the lab of a killed program ends on its
// own.
#pragma once

#include <future>

#include "app/desktop/demo_start.h"
#include "app/desktop/switched_session.h"
#include "app/session/background_queue.h"

namespace tcpscope {

class LabDemo final : public DemoPort {
public:
  /// `shown` outlives this.
  LabDemo(SwitchedSession& shown, DemoSources sources);
  LabDemo(const LabDemo&) = delete;
  LabDemo& operator=(const LabDemo&) = delete;
  ~LabDemo() override;

  [[nodiscard]] const std::vector<DemoScenario>& scenarios() const override { return m_scenarios; }
  void start(std::size_t scenario) override;
  void stop() override;
  [[nodiscard]] DemoState state() override;

private:
  void takeStarted();
  void lookAtHealth();
  void judge();
  void fail(const std::string& why);
  void leave();

  SwitchedSession& m_shown;
  const DemoSources m_sources;
  const std::vector<Demo> m_demos;
  std::vector<DemoScenario> m_scenarios;
  DemoState m_state;
  /// Both ends of the main connection, as soon as they are seen.
  std::optional<ConnectionId> m_sender;
  std::optional<ConnectionId> m_receiver;
  std::optional<Moment> m_watchedSince;
  /// Every demo's places have numbers of their own, so that nothing of one is taken for another's.
  std::uint32_t m_nextPlace;
  std::shared_ptr<RunningDemo> m_running;
  std::future<Expected<std::shared_ptr<RunningDemo>, std::string>> m_starting;
  std::future<std::optional<LabError>> m_health;
  // Last: its jobs use the rest.
  BackgroundQueue m_background;
};

}  // namespace tcpscope
