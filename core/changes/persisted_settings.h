// The drop-in file (sysctl.d(5)) that keeps confirmed changes across boots: its text follows from the journal alone.
#pragma once

#include <string>
#include <vector>

#include "core/changes/change_record.h"

namespace tcpscope {

/// The latest value of each key of all confirmed records with `persist`, with its original and date as a comment; empty
/// without such records. Records in any order.
std::string persistedSettings(std::vector<ChangeRecord> records);

/// Whether the file can only have been written from these records, now or before a step that a kill or a folder that
/// could not be written cut short: each setting in it is one of a record, and those of at most one confirmed record are
/// missing.
[[nodiscard]] bool explainsPersisted(const std::vector<ChangeRecord>& records, std::string_view file);

}  // namespace tcpscope
