// A capture that runs beside a recording, on a thread of its own: every packet that passes a filter, headers only, into
// the file of a PacketRecorder.
//
// Of this process's own network namespace. The destructor ends it and joins.
#pragma once

#include <memory>
#include <thread>

#include "app/session/packet_recorder.h"
#include "collectors/pcap/live_capture.h"

namespace tcpscope {

class PacketsBeside {
public:
  /// Fails as LiveCapture::open().
  static Expected<std::unique_ptr<PacketsBeside>, LiveCaptureError> start(const LiveCaptureSettings& settings,
                                                                          const std::filesystem::path& recording);
  PacketsBeside(const PacketsBeside&) = delete;
  PacketsBeside& operator=(const PacketsBeside&) = delete;
  ~PacketsBeside() = default;

  /// Takes what waits, and ends.
  PacketRecorderState finish();

private:
  PacketsBeside(std::unique_ptr<LiveCapture> capture, const std::filesystem::path& recording)
      : m_capture(std::move(capture)), m_recorder(recording) {}
  void run(const std::stop_token& stop);

  std::unique_ptr<LiveCapture> m_capture;
  PacketRecorder m_recorder;
  // Last: it stops and joins before what it works on goes.
  std::jthread m_thread;
};

}  // namespace tcpscope
