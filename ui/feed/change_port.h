// How the window changes a host: preview, apply, keep or undo. All calls return at once and come from the GUI thread;
// the result is in the state. Nothing is changed that was not previewed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/advice/remedy.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// The requested values and their place.
struct HostChangeRequest {
  Place place;
  /// Sysctls of the place, or options of one connection.
  SettingKind kind = SettingKind::sysctl;
  /// None: the options of the connection are read.
  std::vector<SettingChange> changes;
  /// Of socket options.
  Endpoint local{};
  Endpoint remote{};
  /// Of socket options: a change that is on trial ends first.
  bool replacesTrial = false;
};

enum class HostChangePhase : std::uint8_t {
  none,
  previewing,
  previewed,
  changing,
  inForce,
  keeping,
  kept,
  undoing,
  undone,
  /// The report of a step was lost: whether the change is active is unknown until the next refresh.
  unknown
};

/// One setting with its current and its requested value.
struct HostChangeRow {
  std::string key;
  /// Absent if it cannot be read.
  std::optional<std::string> now;
  std::string wanted;
  /// What apply would do, or what a step did.
  std::string text;
  /// `now` as people read it, and who or which file set it; empty where that is not known.
  std::string nowText{};
  std::string setBy{};

  bool operator==(const HostChangeRow&) const = default;
};

struct HostChangeState {
  HostChangePhase phase = HostChangePhase::none;
  /// Where; absent without a request.
  std::optional<PlaceId> place{};
  std::vector<HostChangeRow> rows;
  /// Consequences to know before it is applied.
  std::vector<std::string> notes;
  /// Error with cause and next step; empty if there is none. The phase stays valid.
  std::string notice;
  /// The shell command that the notice advises to run in the place; empty if there is none.
  std::string byHand;
  bool canApply = false;
  /// It can be kept for later boots.
  bool canPersist = false;
  /// Time left on trial. Absent if the change stays until it is undone.
  std::optional<Milliseconds> undoneIn;
};

class ChangePort {
public:
  ChangePort() = default;
  ChangePort(const ChangePort&) = delete;
  ChangePort& operator=(const ChangePort&) = delete;
  virtual ~ChangePort() = default;

  /// Changes nothing. An active change stays active and is no longer shown.
  virtual void preview(const HostChangeRequest& request) = 0;
  /// Applies what was previewed; fails if a value changed since.
  virtual void apply(bool persist) = 0;
  virtual void keep() = 0;
  virtual void undo() = 0;
  /// Polls the current values, and the outcome of a step whose report was lost.
  virtual void refresh() = 0;
  /// Closes the preview: an active change stays active.
  virtual void forget() = 0;
  [[nodiscard]] virtual HostChangeState state() = 0;
};

}  // namespace tcpscope
