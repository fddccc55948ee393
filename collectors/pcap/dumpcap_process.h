// dumpcap as a child process: captures where only that program has the right to, and writes pcapng into a descriptor.
//
// The program is found by PATH. Whether it may capture shows by what it writes: nothing where not.
#pragma once

#include <cstdint>
#include <string>

#include "collectors/pcap/live_capture.h"
#include "collectors/system/child_process.h"

namespace tcpscope {

struct DumpcapSettings {
  LiveCaptureSettings capture;
  std::string program = "dumpcap";
  /// Ends automatically after this many whole seconds; 0 for never.
  std::uint32_t seconds = 0;
  /// What it has to say about its own failure goes nowhere.
  bool isQuiet = false;
};

/// SIGINT asks it to write its last block, with the count of drops, and to end; it exits
/// with 0 where it captured up to its end.
Expected<ChildProcess, ChildError> startDumpcap(const DumpcapSettings& settings, ChildStream output);

}  // namespace tcpscope
