// The door to changing a host: look what would change, change it, keep it or undo it. All calls return at once and come
// from the GUI thread; what became of them is seen in the state. Nothing is changed that was not shown before.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/advice/remedy.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

/// What somebody wants to have set, and where.
struct HostChangeRequest {
  Place place;
  /// Sysctls of the place, or options of one connection.
  SettingKind kind = SettingKind::sysctl;
  std::vector<SettingChange> changes;
  /// Of socket options.
  Endpoint local{};
  Endpoint remote{};
};

enum class HostChangePhase : std::uint8_t {
  none,
  looking,
  previewed,
  changing,
  inForce,
  keeping,
  kept,
  undoing,
  undone,
  /// The answer to a step was lost: whether the change is in force nobody knows until the place is asked again.
  notKnown
};

/// One setting, as it is and as it is to be, or was.
struct HostChangeRow {
  std::string key;
  /// Absent where it cannot be read.
  std::optional<std::string> now;
  std::string wanted;
  /// What would happen, or did.
  std::string text;

  bool operator==(const HostChangeRow&) const = default;
};

struct HostChangeState {
  HostChangePhase phase = HostChangePhase::none;
  std::vector<HostChangeRow> rows;
  /// What else there is to know before it is changed.
  std::vector<std::string> notes;
  /// What went wrong, why, what to do next; empty for nothing. The phase is what holds all the same.
  std::string notice;
  /// What the notice advises to run in the place by hand, for a shell; empty for nothing.
  std::string byHand;
  bool canApply = false;
  /// It can be kept for the boots to come.
  bool canPersist = false;
  /// While it waits to be kept: until it is undone by itself. Absent where it stays until somebody undoes it.
  std::optional<Milliseconds> undoneIn;
};

class ChangePort {
public:
  ChangePort() = default;
  ChangePort(const ChangePort&) = delete;
  ChangePort& operator=(const ChangePort&) = delete;
  virtual ~ChangePort() = default;

  /// Changes nothing. What is in force stays in force, but is not shown any more.
  virtual void preview(const HostChangeRequest& wish) = 0;
  /// What was shown, and only if it is still as it was shown.
  virtual void apply(bool persist) = 0;
  virtual void keep() = 0;
  virtual void undo() = 0;
  /// What is set now, and what became of a change whose answer was lost.
  virtual void lookAgain() = 0;
  /// Back to nothing: what is in force stays as it is.
  virtual void forget() = 0;
  [[nodiscard]] virtual HostChangeState state() = 0;
};

}  // namespace tcpscope
