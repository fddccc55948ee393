// What is written to a socket, in which order, and what is remembered of it; what an undo writes back, and what it
// leaves alone because somebody else changed it since.
//
// The two buffers need care: setting a size locks the buffer, a locked one is not tuned by the kernel, and the size and
// the window clamp of an unlocked one change by themselves, which is nobody's change.
#pragma once

#include <vector>

#include "core/changes/tune_record.h"

namespace tcpscope {

/// What is set so that the connection ends up as asked for: the locks last, since each size changes them; the receive
/// buffer locked together with a window clamp, which auto-tuning would rewrite.
std::vector<OptionChange> completeChanges(std::vector<OptionChange> wanted, const OptionValues& now);

/// The record before these changes are made: `earlier` with every option that they touch, which has no value after it
/// yet. An option that somebody else changed since the earlier record is remembered as it is now.
TuneRecord recordBefore(TuneRecord earlier, const std::vector<OptionChange>& changes, const OptionValues& now);
/// The same after they were made and read back.
TuneRecord recordAfter(TuneRecord record, const OptionValues& now);

struct UndoPlan {
  /// In this order, as setsockopt() takes them.
  std::vector<OptionChange> restore;
  /// Changed by somebody else since: not touched, and still on record.
  std::vector<RecordedOption> leftAlone;
  TuneRecord stays;
};
UndoPlan planUndo(const TuneRecord& record, const OptionValues& now);

/// The value to set so that this one is read: the kernel doubles the size of a buffer.
OptionValue valueToSet(SocketOption option, const OptionValue& asRead);
/// And what is read after this one was set, if the kernel takes it as it is.
OptionValue valueToRead(SocketOption option, const OptionValue& asSet);

}  // namespace tcpscope
