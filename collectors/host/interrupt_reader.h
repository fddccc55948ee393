// Reads which interrupts an adapter has, who took them and who may, and how each processor spent its time.
#pragma once

#include <filesystem>

#include "core/host/host_reading.h"

namespace tcpscope {

/// Adds them to the physical ones of `reading`'s links, and the times of the processors. An adapter's interrupts are
/// those that its device in /sys names, or those that name the interface. `root` is above proc and sys.
void addInterrupts(HostReading& reading, const std::filesystem::path& root);

}  // namespace tcpscope
