// Files for the packets of a running lab: what passes the device of each host, in one capture a host, and what the path
// did to packets meanwhile, so that readers of the captures know the truth.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/lab/path/path_log.h"
#include "app/lab/scenario/scenario.h"
#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"
#include "core/base/moment.h"
#include "core/base/system_error.h"

namespace tcpscope::lab {

struct CaptureFile {
  std::filesystem::path path;
  OwnedDescriptor descriptor;
};

/// FOLDER/SCENARIO-HOST.pcapng for each host of the path, empty. Replaces existing files.
Expected<std::vector<CaptureFile>, SystemError> createCaptures(const Scenario& scenario,
                                                               const std::filesystem::path& folder);

/// A row an event in the order of time: time_s (UTC since 1970), event, link, source, destination, sequence,
/// payload_bytes.
std::string pathEventsCsv(std::span<const PathEvent> events, std::span<const LinkReport> links,
                          const ClockPair& clocks);

}  // namespace tcpscope::lab
