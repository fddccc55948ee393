// Reads how each processor has spent its time.
#pragma once

#include <filesystem>

#include "core/host/processor_load.h"

namespace tcpscope {

/// Empty where the system does not report it. `root` is above proc.
ProcessorTimes readProcessorTimes(const std::filesystem::path& root);

}  // namespace tcpscope
