// The window's door to changing a host: finds the way to the place, goes it on the background queue, remembers what is
// in force, and looks again when its time to be kept is over.
//
// For the GUI thread. What is in force when the object goes stays, or is undone by its own timer.
#pragma once

#include <future>

#include "app/desktop/change_answer.h"
#include "app/desktop/change_way.h"
#include "app/session/background_queue.h"

namespace tcpscope {

struct HostChangerParts {
  ChangeMeans means;
  /// CLOCK_MONOTONIC.
  std::function<Moment()> now;
};

class HostChanger final : public ChangePort {
public:
  explicit HostChanger(HostChangerParts parts) : m_parts(std::move(parts)) {}
  HostChanger(const HostChanger&) = delete;
  HostChanger& operator=(const HostChanger&) = delete;
  ~HostChanger() override = default;

  void preview(const HostChangeWish& wish) override;
  void apply(bool persist) override;
  void keep() override;
  void undo() override;
  void forget() override;
  [[nodiscard]] HostChangeState state() override;

private:
  struct Outcome {
    /// Found on the way.
    ChangeWayPointer way;
    CommandAnswer command;
  };
  using Step = std::function<CommandAnswer(ChangeWay& way, const std::stop_token& stop)>;

  /// Looks what is set now, finding the way to the place first where it is not known.
  void look();
  void post(HostChangePhase during, Step step);
  void take(const Outcome& outcome);
  void takeLook(const CommandAnswer& command);
  void takeChange(const CommandAnswer& command);
  void refuse(const CommandAnswer& command);
  [[nodiscard]] std::optional<ChangeAnswer> read(const CommandAnswer& command) const;
  [[nodiscard]] bool isTuning() const { return m_wish.kind == SettingKind::socketOption; }

  const HostChangerParts m_parts;
  HostChangeWish m_wish;
  /// Null until it is found.
  ChangeWayPointer m_way;
  HostChangeState m_state;
  /// What holds where the step that is under way fails.
  HostChangePhase m_before = HostChangePhase::none;
  std::uint32_t m_change = 0;
  std::optional<Moment> m_undoneAt;
  std::future<Outcome> m_pending;
  // Last: its jobs use the rest.
  BackgroundQueue m_background;
};

}  // namespace tcpscope
