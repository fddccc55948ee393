// Records a running lab: what the agent of each host says, as it says it, in one recording a host. Played together they
// show the run again, on machines that cannot have a lab, too.
//
// The lab cannot be observed otherwise meanwhile: an agent serves one client.
#pragma once

#include <filesystem>
#include <functional>

#include "app/lab/engine/lab_process.h"
#include "core/base/system_error.h"

namespace tcpscope::lab {

/// Every connection is looked at this often.
inline constexpr Milliseconds kRecordedEvery{100};

/// Writes FOLDER/SCENARIO-HOST.tcpscope until the moment, or until `isInterrupted`; gives the files. Replaces
/// existing ones. Fails where a file cannot be written, or an agent ends early (reachAgent).
Expected<std::vector<std::filesystem::path>, SystemError> recordLab(const LabProcess& lab, const std::string& scenario,
                                                                    const std::filesystem::path& folder, Moment until,
                                                                    const std::function<bool()>& isInterrupted);

}  // namespace tcpscope::lab
