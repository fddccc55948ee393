// The change port of the desktop application: opens a transport to the place, calls it on the background queue, keeps
// the state of the change, and refreshes it when a trial has ended or when the report of a step was lost.
//
// For the GUI thread. An active change survives this object; its own timer reverts it.
#pragma once

#include <future>

#include "app/changes/transport/change_transport.h"
#include "app/desktop/change_display.h"
#include "app/desktop/remote_host.h"
#include "app/session/background_queue.h"
#include "ui/feed/change_port.h"

namespace tcpscope {

struct HostChangerParts {
  TransportParts transport;
  /// CLOCK_MONOTONIC.
  std::function<Moment()> now;
  /// The host behind ssh of a place; nothing for other places. Null if there are none.
  std::function<std::optional<RemoteHost>(PlaceId place)> remoteHost{};
};

class HostChanger final : public ChangePort {
public:
  explicit HostChanger(HostChangerParts parts) : m_parts(std::move(parts)) {}
  HostChanger(const HostChanger&) = delete;
  HostChanger& operator=(const HostChanger&) = delete;
  ~HostChanger() override = default;

  void preview(const HostChangeRequest& request) override;
  void apply(bool persist) override;
  void keep() override;
  void undo() override;
  void refresh() override;
  void forget() override;
  [[nodiscard]] HostChangeState state() override;

private:
  struct Outcome {
    /// Newly opened.
    ChangeTransportPointer transport;
    ChangeResult result;
    /// List of the journal, if it was requested.
    std::optional<ChangeResult> journal;
  };
  using Step = std::function<ChangeResult(ChangeTransport& transport, const std::stop_token& stop)>;

  /// Polls the current values, opening a transport first if there is none; after a lost report also the journal.
  void poll(SshManner manner);
  /// Without a user who could answer a prompt.
  void pollUnattended();
  void post(HostChangePhase during, Step step);
  void take(const Outcome& outcome);
  void takePoll(const ChangeResult& result);
  void takeStep(const ChangeResult& result);
  /// After a lost report.
  void takeOutcome(const Outcome& outcome);
  void show(ChangeDisplay&& display);
  void becomeReverted();
  void lose(const ChangeError& error);
  void refuse(const ChangeError& error);
  void say(ChangeErrorKind kind);
  [[nodiscard]] ChangeRequest request() const;
  [[nodiscard]] ChangeDisplay displayOfPoll(const ChangeReport& report) const;
  [[nodiscard]] bool isTuning() const { return m_requested.kind == SettingKind::socketOption; }

  [[nodiscard]] std::optional<RemoteHost> remoteHost() const;
  /// False if the list of hosts lacks the previewed host, or has another address for it.
  [[nodiscard]] bool isListed() const;
  [[nodiscard]] bool isConnected() const;

  const HostChangerParts m_parts;
  HostChangeRequest m_requested;
  /// Of the host behind ssh when it was previewed; empty for other places.
  std::string m_address;
  /// Null until it is open.
  ChangeTransportPointer m_transport;
  HostChangeState m_state;
  /// The phase to return to if the pending step fails.
  HostChangePhase m_before = HostChangePhase::none;
  std::uint32_t m_change = 0;
  /// End of the trial.
  std::optional<Moment> m_undoneAt;
  /// The step whose report was lost, and when.
  HostChangePhase m_lost = HostChangePhase::none;
  Moment m_lostAt;
  /// Rows before the lost step; their current values are unknown.
  std::vector<HostChangeRow> m_previewed;
  /// The outcome was requested since the host reconnected.
  bool m_wasRequested = false;
  std::future<Outcome> m_pending;
  // Last: its jobs use the other members.
  BackgroundQueue m_background;
};

}  // namespace tcpscope
