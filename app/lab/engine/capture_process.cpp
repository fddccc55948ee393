#include "app/lab/engine/capture_process.h"

#include <poll.h>
#include <unistd.h>

#include <array>

#include "app/lab/engine/engine_answers.h"
#include "app/lab/engine/engine_start.h"
#include "collectors/pcap/capture_stream.h"

namespace tcpscope::lab {

namespace {

/// As late as eyes do not see.
constexpr int kWriteIntervalMs = 100;

/// The owner says nothing on the stream: only its end can be read.
bool hasEnded(int stream) {
  pollfd entry{stream, POLLIN, 0};
  return poll(&entry, 1, 0) > 0;
}

}  // namespace

int runCaptureProcess(const LiveCaptureSettings& settings, int stream) {
  const auto capture = LiveCapture::open(settings);
  const auto said =
      sendMessage(kEngineChannel, capture ? MessageWriter(MessageKind::capturing) : encode(capture.error()));
  close(kEngineChannel);
  if (!capture || !said) return 1;
  CaptureStream output(**capture, stream, settings);
  while (!hasEnded(stream) && output.lost() == Count(0)) {
    std::array<pollfd, 2> waits = {{{(*capture)->wakeDescriptor(), POLLIN, 0}, {stream, POLLIN, 0}}};
    poll(waits.data(), waits.size(), kWriteIntervalMs);
    if (output.writeWaiting()) return 1;
  }
  output.writeWaiting();
  output.finish();
  return 0;
}

}  // namespace tcpscope::lab
