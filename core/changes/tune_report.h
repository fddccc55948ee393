// The detailed result of showing, changing or restoring the options of one connection. Values only; the sentences are
// in core/present/text/tune_text.h, and the ChangeReport of it is what readTuneReport() gives.
#pragma once

#include <optional>
#include <vector>

#include "core/changes/tune_record.h"
#include "core/host/sysctl_values.h"

namespace tcpscope {

enum class TuneAction : std::uint8_t { show, tune, confirm, undo };
std::string_view name(TuneAction action);

enum class OptionSetter : std::uint8_t {
  /// Not reported by the kernel.
  unknown,
  /// Autotuned.
  automatic,
  program,
  tcpscope,
};
std::string_view name(OptionSetter setter);

enum class TuneNoteKind : std::uint8_t {
  /// The kernel set another value than the requested one.
  otherValue,
  /// The same, capped by net.core.wmem_max or rmem_max.
  capped,
  /// Setting a size ended autotuning.
  autoTuningOff,
  /// The receive buffer was locked so that the window clamp stays.
  lockedWithClamp,
  /// Autotuning has rewritten the window clamp since.
  clampMoved,
  /// The window clamp limits the window below the receive buffer.
  clampHolds,
  /// The negotiated window scale limits the window: only a new connection gets a larger one.
  windowScaleHolds,
  /// Pacing started with the limit and stays on without it.
  pacingGoesOn,
  /// The receive buffer became smaller while the connection is open.
  windowMayStaySmall,
  /// The kernel autotunes this buffer again; it is larger than before and not shrunk.
  notShrunk,
};
std::string_view name(TuneNoteKind kind);

struct TuneNote {
  TuneNoteKind kind = TuneNoteKind::otherValue;
  SocketOption option = SocketOption::sendBuffer;
  /// The limit of the window or the buffer; absent if there is none.
  std::optional<std::uint64_t> bytes{};

  bool operator==(const TuneNote&) const = default;
};

/// All values as getsockopt() returns them.
struct TunedOption {
  SocketOption option = SocketOption::sendBuffer;
  std::optional<OptionValue> before;
  OptionValue wanted;
  std::optional<OptionValue> after;

  bool operator==(const TunedOption&) const = default;
};

struct TuneReport {
  TuneAction action = TuneAction::show;
  /// Current values.
  OptionValues values;
  /// The originals that can be restored.
  TuneRecord record;
  std::vector<TunedOption> changes;
  /// Changed by another program meanwhile and therefore left alone.
  std::vector<RecordedOption> leftAlone;
  std::vector<TuneNote> notes;
  /// Time left of the trial; absent if no change is on trial.
  std::optional<Nanoseconds> revertsIn{};

  [[nodiscard]] OptionSetter setterOf(SocketOption option) const;
};

struct TuneNoteInput {
  const std::vector<TunedOption>& changes;
  const OptionValues& before;
  const OptionValues& after;
  /// Largest window that the window scale can advertise; absent if unknown.
  std::optional<std::uint64_t> largestWindowBytes;
  const SysctlValues& settings;
  /// What an undo sets is as it was before.
  bool isUndo = false;
};
std::vector<TuneNote> notesOn(const TuneNoteInput& input);

/// Largest window that this window scale can advertise (RFC 7323 §2).
std::uint64_t largestWindow(unsigned windowScale);

}  // namespace tcpscope
