#include "app/session/capture_means.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <system_error>

#include "collectors/pcap/dumpcap_process.h"

namespace tcpscope {

namespace {

class CapturingChild final : public CapturingProcess {
public:
  CapturingChild(ChildProcess process, std::string interface)
      : m_process(std::move(process)), m_interface(std::move(interface)) {}

  [[nodiscard]] int descriptor() const override { return m_process.output().get(); }
  void requestEnd() override { m_process.signal(SIGINT); }
  [[nodiscard]] LiveCaptureError whyNothing() override {
    LiveCaptureError error{LiveCaptureErrorKind::failed, UntrustedText(m_interface), {}};
    error.reason = UntrustedText(lastWords());
    return error;
  }

private:
  /// The last line of what it said on its standard error, as far as that has come.
  std::string lastWords() {
    std::array<char, 4096> bytes{};
    std::string said;
    pollfd waiting{m_process.errors().get(), POLLIN, 0};
    while (said.size() < bytes.size() && poll(&waiting, 1, 0) > 0) {
      const ssize_t count = ::read(waiting.fd, bytes.data(), bytes.size());
      if (count <= 0) break;
      said.append(bytes.data(), static_cast<std::size_t>(count));
    }
    while (said.ends_with('\n')) said.pop_back();
    const auto lineBreak = said.rfind('\n');
    return lineBreak == std::string::npos ? said : said.substr(lineBreak + 1);
  }

  ChildProcess m_process;
  std::string m_interface;
};

Expected<std::unique_ptr<CapturingProcess>, LiveCaptureError> captureOf(Expected<ChildProcess, ChildError> started,
                                                                        std::string interface) {
  if (!started) {
    const std::string why = std::generic_category().message(started.error().errorNumber);
    return Unexpected<LiveCaptureError>({LiveCaptureErrorKind::failed, UntrustedText(interface), UntrustedText(why)});
  }
  return std::make_unique<CapturingChild>(std::move(*started), std::move(interface));
}

}  // namespace

StartCapturing throughDumpcap(std::string program) {
  return [program = std::move(program)](const LiveCaptureSettings& capture) {
    DumpcapSettings settings;
    settings.capture = capture;
    settings.program = program;
    settings.isQuiet = true;
    return captureOf(startDumpcap(settings, ChildStream::pipe()), capture.interface);
  };
}

Expected<std::unique_ptr<CapturingProcess>, LiveCaptureError> startCapturing(ChildCommand command,
                                                                             std::string interface) {
  command.output = ChildStream::pipe();
  command.errors = ChildStream::pipe();
  return captureOf(ChildProcess::start(command), std::move(interface));
}

}  // namespace tcpscope
