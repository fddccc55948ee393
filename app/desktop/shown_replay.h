// The window's door to a recording that is played: whichever is shown, one that was opened or a demo's.
#pragma once

#include "app/desktop/switched_session.h"
#include "app/session/replay_session.h"
#include "ui/feed/replay_port.h"

namespace tcpscope {

class ShownReplay final : public ReplayPort {
public:
  /// `shown` outlives this.
  explicit ShownReplay(const SwitchedSession& shown) : m_shown(shown) {}

  void play() override;
  void playBack() override;
  void pause() override;
  void setSpeed(std::optional<double> ratio) override;
  void seek(Moment moment) override;
  [[nodiscard]] std::optional<ReplayState> state() override;

private:
  /// Null where something else is shown.
  [[nodiscard]] ReplaySession* replay() const { return dynamic_cast<ReplaySession*>(&m_shown.shown()); }

  const SwitchedSession& m_shown;
};

}  // namespace tcpscope
