#include "core/changes/tune_report.h"

#include <algorithm>

#include "core/changes/tune_plan.h"

namespace tcpscope {

namespace {

class NoteTaker {
public:
  explicit NoteTaker(const TuneNoteInput& input) : m_in(input) {}

  std::vector<TuneNote> take() {
    for (const TunedOption& change : m_in.changes) noteOn(change);
    noteOnWindow();
    return std::move(m_notes);
  }

private:
  [[nodiscard]] bool isLocked(const OptionValues& values, std::uint64_t lock) const {
    return (values.number(SocketOption::bufferLock) & lock) != 0;
  }
  [[nodiscard]] const TunedOption* changeOf(SocketOption option) const {
    const auto found = std::find_if(m_in.changes.begin(), m_in.changes.end(),
                                    [option](const TunedOption& one) { return one.option == option; });
    return found == m_in.changes.end() ? nullptr : &*found;
  }

  void noteOn(const TunedOption& change) {
    const std::uint64_t lock = change.option == SocketOption::sendBuffer ? kSendBufferLock : kReceiveBufferLock;
    if (isBufferSize(change.option)) {
      // Where the kernel tunes it again, the size is its own by now.
      if (!isLocked(m_in.after, lock)) return;
      if (change.after && change.after->number < change.wanted.number) {
        m_notes.push_back({TuneNoteKind::capped, change.option, change.after->number});
      }
      if (change.option == SocketOption::receiveBuffer && change.before && change.after &&
          change.after->number < change.before->number) {
        m_notes.push_back({TuneNoteKind::windowMayStaySmall, change.option});
      }
      if (!m_in.isUndo && !isLocked(m_in.before, lock)) {
        m_notes.push_back({TuneNoteKind::autoTuningOff, change.option});
      }
      return;
    }
    if (change.option == SocketOption::windowClamp) return noteOnClamp(change);
    if (change.option == SocketOption::maxPacingRate && change.before && *change.before != change.wanted &&
        change.wanted.number == kUnlimited) {
      m_notes.push_back({TuneNoteKind::pacingGoesOn, change.option});
    }
    if (change.after && *change.after != change.wanted) m_notes.push_back({TuneNoteKind::otherValue, change.option});
  }

  void noteOnClamp(const TunedOption& change) {
    const bool locked = isLocked(m_in.after, kReceiveBufferLock);
    if (change.after && *change.after != change.wanted) {
      m_notes.push_back({locked ? TuneNoteKind::otherValue : TuneNoteKind::clampMoved, change.option});
    }
    if (locked && !isLocked(m_in.before, kReceiveBufferLock) && changeOf(SocketOption::receiveBuffer) == nullptr) {
      m_notes.push_back({TuneNoteKind::lockedWithClamp, change.option});
    }
  }

  /// What the change makes room for: half of a buffer is bookkeeping.
  [[nodiscard]] std::uint64_t possibleWindow() const {
    const bool unlocked = isLocked(m_in.before, kReceiveBufferLock) && !isLocked(m_in.after, kReceiveBufferLock);
    if (unlocked) {
      const auto sizes = m_in.settings.three("net.ipv4.tcp_rmem");
      return sizes ? sizes->back() / 2 : 0;
    }
    if (const TunedOption* clamp = changeOf(SocketOption::windowClamp)) return clamp->wanted.number;
    const TunedOption* size = changeOf(SocketOption::receiveBuffer);
    return size != nullptr && size->after ? size->after->number / 2 : 0;
  }

  void noteOnWindow() {
    const std::uint64_t possible = possibleWindow();
    const std::uint64_t clamp = m_in.after.number(SocketOption::windowClamp);
    const bool locked = isLocked(m_in.after, kReceiveBufferLock);
    if (locked && changeOf(SocketOption::receiveBuffer) != nullptr && clamp != 0 && clamp < possible) {
      m_notes.push_back({TuneNoteKind::clampHolds, SocketOption::receiveBuffer, clamp});
    }
    if (m_in.largestWindowBytes && *m_in.largestWindowBytes < possible) {
      m_notes.push_back({TuneNoteKind::windowScaleHolds, SocketOption::receiveBuffer, m_in.largestWindowBytes});
    }
  }

  const TuneNoteInput& m_in;
  std::vector<TuneNote> m_notes;
};

}  // namespace

std::string_view name(TuneAction action) {
  switch (action) {
    case TuneAction::show:
      return "show";
    case TuneAction::tune:
      return "tune";
    case TuneAction::confirm:
      return "confirm";
    case TuneAction::undo:
      return "undo";
  }
  return {};
}

std::string_view name(OptionSetter setter) {
  switch (setter) {
    case OptionSetter::unknown:
      return "unknown";
    case OptionSetter::automatic:
      return "automatic";
    case OptionSetter::program:
      return "program";
    case OptionSetter::tcpscope:
      return "tcpscope";
  }
  return {};
}

std::string_view name(TuneNoteKind kind) {
  switch (kind) {
    case TuneNoteKind::otherValue:
      return "other_value";
    case TuneNoteKind::capped:
      return "capped";
    case TuneNoteKind::autoTuningOff:
      return "auto_tuning_off";
    case TuneNoteKind::lockedWithClamp:
      return "locked_with_clamp";
    case TuneNoteKind::clampMoved:
      return "clamp_moved";
    case TuneNoteKind::clampHolds:
      return "clamp_holds";
    case TuneNoteKind::windowScaleHolds:
      return "window_scale_holds";
    case TuneNoteKind::pacingGoesOn:
      return "pacing_goes_on";
    case TuneNoteKind::windowMayStaySmall:
      return "window_may_stay_small";
    case TuneNoteKind::notShrunk:
      return "not_shrunk";
  }
  return {};
}

OptionSetter TuneReport::setterOf(SocketOption option) const {
  const RecordedOption* entry = record.find(option);
  const bool isOurs =
      entry != nullptr && entry->after && values[option] == entry->after && *entry->after != entry->before;
  if (isOurs) return OptionSetter::tcpscope;
  if (!isBufferSize(option) || !values[SocketOption::bufferLock]) return OptionSetter::unknown;
  const std::uint64_t lock = option == SocketOption::sendBuffer ? kSendBufferLock : kReceiveBufferLock;
  return (values.number(SocketOption::bufferLock) & lock) != 0 ? OptionSetter::program : OptionSetter::automatic;
}

std::vector<TuneNote> notesOn(const TuneNoteInput& input) {
  return NoteTaker(input).take();
}

std::uint64_t largestWindow(unsigned windowScale) {
  constexpr std::uint64_t kLargestField = 65'535;
  constexpr unsigned kLargestScale = 14;
  return kLargestField << std::min(windowScale, kLargestScale);
}

}  // namespace tcpscope
