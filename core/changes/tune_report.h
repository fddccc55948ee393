// What a look at a connection's options showed, what became of a change or an undo, and what a person should know about
// it. Values only; the sentences are in core/text/tune_text.h.
#pragma once

#include <optional>
#include <vector>

#include "core/changes/tune_record.h"
#include "core/host/sysctl_values.h"

namespace tcpscope {

enum class TuneAction : std::uint8_t { show, tune, undo };
std::string_view name(TuneAction action);

enum class OptionSetter : std::uint8_t {
  /// The kernel does not tell.
  unknown,
  /// Tuned by the kernel.
  automatic,
  program,
  tcpscope,
};
std::string_view name(OptionSetter setter);

enum class TuneNoteKind : std::uint8_t {
  /// The kernel made another value of it than was asked for.
  otherValue,
  /// The same, of a buffer that net.core.wmem_max or rmem_max bounds.
  capped,
  /// Setting a size ended auto-tuning.
  autoTuningOff,
  /// The receive buffer was locked so that the window clamp stays.
  lockedWithClamp,
  /// Auto-tuning has rewritten the window clamp since.
  clampMoved,
  /// The window clamp holds the window below what the receive buffer has room for.
  clampHolds,
  /// The window scale of the handshake holds the window below it: only a new connection gets a larger one.
  windowScaleHolds,
  /// Pacing began with the limit and goes on without it.
  pacingGoesOn,
};
std::string_view name(TuneNoteKind kind);

struct TuneNote {
  TuneNoteKind kind = TuneNoteKind::otherValue;
  SocketOption option = SocketOption::sendBuffer;
  /// What the window or the buffer is held at; absent where there is none to say.
  std::optional<std::uint64_t> bytes{};

  bool operator==(const TuneNote&) const = default;
};

/// All values as they are read.
struct TunedOption {
  SocketOption option = SocketOption::sendBuffer;
  std::optional<OptionValue> before;
  OptionValue wanted;
  std::optional<OptionValue> after;

  bool operator==(const TunedOption&) const = default;
};

struct TuneReport {
  TuneAction action = TuneAction::show;
  /// As they are now.
  OptionValues values;
  /// What can be undone.
  TuneRecord record;
  std::vector<TunedOption> changes;
  /// Changed by somebody else since, so that an undo left them alone.
  std::vector<RecordedOption> leftAlone;
  std::vector<TuneNote> notes;

  [[nodiscard]] OptionSetter setterOf(SocketOption option) const;
};

struct TuneNoteInput {
  const std::vector<TunedOption>& changes;
  const OptionValues& before;
  const OptionValues& after;
  /// Largest window that the scale of the handshake can say; absent where it is not known.
  std::optional<std::uint64_t> largestWindowBytes;
  const SysctlValues& settings;
};
std::vector<TuneNote> notesOn(const TuneNoteInput& input);

/// What a window scale can say at most.
std::uint64_t largestWindow(unsigned windowScale);

}  // namespace tcpscope
