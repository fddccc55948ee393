// A change as the journal keeps it: lines of a name and a value, an `end` that a file cut short does not have.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/changes/change_record.h"

namespace tcpscope {

/// More than any record that was written.
inline constexpr std::size_t kMostRecordBytes = 32'768;

std::string writeChangeRecord(const ChangeRecord& record);

/// Nothing for a text that is no whole record of ours: a line more, a key that is not allowed, a value that could not
/// have been written. An original only has to be a line of printable text: somebody else set it.
std::optional<ChangeRecord> readChangeRecord(std::string_view text);

}  // namespace tcpscope
