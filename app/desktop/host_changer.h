// The window's door to changing a host: finds the way to the place, goes it on the background queue, remembers what is
// in force, and looks again when its time to be kept is over, or when the answer to a step was lost.
//
// For the GUI thread. What is in force when the object goes stays, or is undone by its own timer.
#pragma once

#include <future>

#include "app/desktop/change_answer.h"
#include "app/desktop/change_way.h"
#include "app/desktop/remote_host.h"
#include "app/session/background_queue.h"
#include "core/changes/remote_change_error.h"

namespace tcpscope {

struct HostChangerParts {
  ChangeMeans means;
  /// CLOCK_MONOTONIC.
  std::function<Moment()> now;
  /// The host behind ssh that a place is; nothing for other places. Null where there are none.
  std::function<std::optional<RemoteHost>(PlaceId place)> remoteHost{};
};

class HostChanger final : public ChangePort {
public:
  explicit HostChanger(HostChangerParts parts) : m_parts(std::move(parts)) {}
  HostChanger(const HostChanger&) = delete;
  HostChanger& operator=(const HostChanger&) = delete;
  ~HostChanger() override = default;

  void preview(const HostChangeRequest& wish) override;
  void apply(bool persist) override;
  void keep() override;
  void undo() override;
  void lookAgain() override;
  void forget() override;
  [[nodiscard]] HostChangeState state() override;

private:
  struct Outcome {
    /// Found on the way.
    ChangeWayPointer way;
    CommandAnswer command;
    /// What the journal of the place says, where it was asked.
    std::optional<CommandAnswer> journal;
  };
  using Step = std::function<CommandAnswer(ChangeWay& way, const std::stop_token& stop)>;

  /// Looks what is set now, finding the way to the place first where it is not known; where the answer to a step was
  /// lost, what became of that. `manner` is that of ssh.
  void look(SshManner manner);
  void lookByItself();
  void post(HostChangePhase during, Step step);
  void take(const Outcome& outcome);
  void takeLook(const CommandAnswer& command);
  void takeChange(const CommandAnswer& command);
  /// What became of the step whose answer was lost.
  void takeFindings(const Outcome& outcome);
  void show(ChangeAnswer&& answer);
  void becomeUndone();
  void lose(const CommandAnswer& command);
  void refuse(const CommandAnswer& command);
  void say(RemoteChangeErrorKind kind);
  [[nodiscard]] std::optional<ChangeAnswer> read(const CommandAnswer& command) const;
  [[nodiscard]] bool isTuning() const { return m_wish.kind == SettingKind::socketOption; }

  [[nodiscard]] std::optional<RemoteHost> remoteHost() const;
  /// False where the host that was previewed is another, or not there any more.
  [[nodiscard]] bool isStillThere() const;
  [[nodiscard]] bool isHeard() const;

  const HostChangerParts m_parts;
  HostChangeRequest m_wish;
  /// Of the host behind ssh, as it was when it was previewed; empty for other places.
  std::string m_address;
  /// Null until it is found.
  ChangeWayPointer m_way;
  HostChangeState m_state;
  /// What holds where the step that is under way fails.
  HostChangePhase m_before = HostChangePhase::none;
  std::uint32_t m_change = 0;
  std::optional<Moment> m_undoneAt;
  /// The step whose answer was lost, and when that was seen.
  HostChangePhase m_lost = HostChangePhase::none;
  Moment m_lostAt;
  /// As they were shown before it: what they are now nobody knows.
  std::vector<HostChangeRow> m_shown;
  /// It was asked what became of it since the place was last heard again.
  bool m_wasAsked = false;
  std::future<Outcome> m_pending;
  // Last: its jobs use the rest.
  BackgroundQueue m_background;
};

}  // namespace tcpscope
