// The drop-in file (sysctl.d(5)) that keeps confirmed changes across boots: its text follows from the journal alone.
#pragma once

#include <string>
#include <vector>

#include "core/changes/change_record.h"

namespace tcpscope {

/// The latest value of each key of all confirmed records with `persist`, with its original and date as a comment; empty
/// without such records. Records in any order.
std::string persistedSettings(std::vector<ChangeRecord> records);

}  // namespace tcpscope
