// The packets of a running lab's hosts, for live sessions that watch them.
#pragma once

#include "app/lab/engine/lab_process.h"
#include "app/session/capture_means.h"

namespace tcpscope::lab {

/// Of the host with this number. The lab outlives what captures by it.
CaptureMeans captureMeansOf(LabProcess& lab, std::size_t host);

}  // namespace tcpscope::lab
