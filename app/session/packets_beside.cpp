#include "app/session/packets_beside.h"

#include <poll.h>

#include <system_error>

namespace tcpscope {

namespace {

constexpr int kWaitMs = 100;

}  // namespace

Expected<std::unique_ptr<PacketsBeside>, LiveCaptureError> PacketsBeside::start(
    const LiveCaptureSettings& settings, const std::filesystem::path& recording) {
  auto capture = LiveCapture::open(settings);
  if (!capture) return Unexpected<LiveCaptureError>(capture.error());
  std::unique_ptr<PacketsBeside> beside(new PacketsBeside(std::move(*capture), recording));
  try {
    PacketsBeside& running = *beside;
    beside->m_thread = std::jthread([&running](const std::stop_token& stop) { running.run(stop); });
  } catch (const std::system_error& error) {
    return Unexpected<LiveCaptureError>(
        {LiveCaptureErrorKind::failed, UntrustedText(settings.interface), UntrustedText(error.what())});
  }
  return beside;
}

void PacketsBeside::run(const std::stop_token& stop) {
  bool mayGoOn = true;
  while (mayGoOn) {
    pollfd waiting{m_capture->wakeDescriptor(), POLLIN, 0};
    poll(&waiting, 1, kWaitMs);
    // What waits when the end is wanted belongs to the capture.
    mayGoOn = !stop.stop_requested();
    while (true) {
      const auto frame = m_capture->next();
      if (!frame) return;
      if (*frame == nullptr) break;
      m_recorder.take(**frame);
      if (stop.stop_requested() && mayGoOn) break;
    }
    if (const auto counts = m_capture->counts()) m_recorder.setCounts(1, *counts);
  }
}

PacketRecorderState PacketsBeside::finish() {
  m_thread.request_stop();
  if (m_thread.joinable()) m_thread.join();
  m_recorder.finish();
  return m_recorder.state();
}

}  // namespace tcpscope
