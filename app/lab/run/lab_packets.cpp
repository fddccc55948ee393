#include "app/lab/run/lab_packets.h"

#include <sys/socket.h>

namespace tcpscope::lab {

namespace {

class HostCapture final : public CapturingProcess {
public:
  explicit HostCapture(OwnedDescriptor stream) : m_stream(std::move(stream)) {}

  [[nodiscard]] int descriptor() const override { return m_stream.get(); }
  void requestEnd() override { shutdown(m_stream.get(), SHUT_WR); }
  [[nodiscard]] LiveCaptureError whyNothing() override {
    return {LiveCaptureErrorKind::failed, {}, UntrustedText("the lab has ended")};
  }

private:
  OwnedDescriptor m_stream;
};

}  // namespace

CaptureMeans captureMeansOf(LabProcess& lab, std::size_t host) {
  CaptureMeans means;
  means.open = nullptr;
  means.process =
      [&lab,
       host](const LiveCaptureSettings& settings) -> Expected<std::unique_ptr<CapturingProcess>, LiveCaptureError> {
    auto stream = lab.capture(host, settings);
    if (!stream) return Unexpected<LiveCaptureError>(stream.error());
    return std::make_unique<HostCapture>(std::move(*stream));
  };
  return means;
}

}  // namespace tcpscope::lab
