// Which options are set, in which order, and what is recorded; which ones a revert restores, and which ones it leaves
// alone because another program changed them.
//
// The two buffers need care: setting a size locks the buffer, a locked one is not autotuned, and the size and
// the window clamp of an unlocked one are changed by the kernel's autotuning, which is no foreign change.
#pragma once

#include <vector>

#include "core/changes/tune_record.h"

namespace tcpscope {

/// The changes in the order that gives the requested state: locks last, since each size sets them; a window clamp locks
/// the receive buffer, because autotuning would rewrite the clamp.
std::vector<OptionChange> completeChanges(std::vector<OptionChange> wanted, const OptionValues& now);

/// The record before these changes: `earlier` with every option that they touch, without a value after. An option that
/// another program changed since the earlier record gets its current value as the original.
TuneRecord recordBefore(TuneRecord earlier, const std::vector<OptionChange>& changes, const OptionValues& now);
/// The same after the changes were made and read back.
TuneRecord recordAfter(TuneRecord record, const OptionValues& now);

struct UndoPlan {
  /// In this order, as setsockopt() takes them.
  std::vector<OptionChange> restore;
  /// Changed by another program meanwhile: left alone and still recorded.
  std::vector<RecordedOption> leftAlone;
  TuneRecord stays;
  /// Sizes of buffers that the kernel autotunes again, and that are larger now than they were.
  std::vector<SocketOption> notShrunk;
};
UndoPlan planUndo(const TuneRecord& record, const OptionValues& now);

/// The value to set to read this one back: the kernel doubles the size of a buffer.
OptionValue valueToSet(SocketOption option, const OptionValue& asRead);
/// The value read back after setting this one, unless the kernel adjusts it.
OptionValue valueToRead(SocketOption option, const OptionValue& asSet);

}  // namespace tcpscope
