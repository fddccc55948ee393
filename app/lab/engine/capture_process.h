// A child of the engine that captures what passes the devices of one host, until its owner ends the stream.
#pragma once

#include "collectors/pcap/live_capture.h"

namespace tcpscope::lab {

/// In the host's namespace. Says through the engine's channel whether it captures (engine_message.h), then writes the
/// capture into `stream` until that ends. The exit code.
int runCaptureProcess(const LiveCaptureSettings& settings, int stream);

}  // namespace tcpscope::lab
