// The file that keeps confirmed changes for the boots to come (sysctl.d(5)): its text follows from the journal alone.
#pragma once

#include <string>
#include <vector>

#include "core/changes/change_record.h"

namespace tcpscope {

/// Of all records that are confirmed and meant to stay, the latest value of each key, with what was set before it and
/// when it was changed; empty where there is none. Records in any order.
std::string persistedSettings(std::vector<ChangeRecord> records);

}  // namespace tcpscope
