// Changes of one setting are a stack in the order of their numbers: the value of the topmost one is in force.
//
// Reverting the topmost change sets its original. Reverting one below it changes nothing on the host: its original is
// handed on to the change above, so that the end of all is the original of the lowest one, whatever the order. A change
// that ended with its boot hands its originals on, too.
#pragma once

#include <vector>

#include "core/changes/change_record.h"

namespace tcpscope {

/// The lowest open change of this key above `record` in the same network namespace whose value is in force; null if
/// there is none. A change whose originals are in force for a comparison covers nothing.
[[nodiscard]] const ChangeRecord* coveringChange(const std::vector<ChangeRecord>& records, const ChangeRecord& record,
                                                 const std::string& key);

/// Whether an open change of this key above `record` set this value. A change that is covered and whose value is set
/// all the same was uncovered by a revert that was interrupted before the journal had it.
[[nodiscard]] bool isSetAbove(const std::vector<ChangeRecord>& records, const ChangeRecord& record,
                              const std::string& key, const std::string& value);

/// The topmost open change of a key of `planned` where its original, or that of a change below it, is set instead of
/// its value: reverts were interrupted before the journal had them. A change above it would take that original for the
/// value of another one. Null if there is none.
[[nodiscard]] const ChangeRecord* interruptedRevert(const std::vector<ChangeRecord>& records,
                                                    const ChangeRecord& planned);

/// The records after this one has ended, reverted or gone: its originals handed on, except where another program set
/// the value between the two changes.
[[nodiscard]] std::vector<ChangeRecord> afterEnd(std::vector<ChangeRecord> records, std::uint32_t id, ChangeState end);

}  // namespace tcpscope
