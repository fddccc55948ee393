#include "app/remote/ssh_capture.h"

#include "app/remote/ssh_command.h"

namespace tcpscope {

namespace {

Expected<std::unique_ptr<CapturingProcess>, LiveCaptureError> startBySsh(const std::string& address,
                                                                         const LiveCaptureSettings& settings) {
  const auto host = parseSshAddress(address);
  if (!host) {
    return Unexpected<LiveCaptureError>({LiveCaptureErrorKind::elsewhere, UntrustedText(settings.interface), {}});
  }
  ChildCommand command;
  command.arguments = sshWords(*host, SshManner::alone);
  for (std::string& word : wordsForThere(
           {"tcpscope-cli", "capture", "--output", "-", "--interface", settings.interface, "--", settings.filter})) {
    command.arguments.push_back(std::move(word));
  }
  command.input = ChildStream::null();
  command.hasOwnSession = true;
  command.environment = {kNoAskpass};
  return startCapturing(std::move(command), settings.interface);
}

}  // namespace

CaptureMeans captureMeansBySsh(std::string address, const std::optional<ClockPair>& clock) {
  CaptureMeans means;
  means.open = nullptr;
  means.process = [address](const LiveCaptureSettings& settings) { return startBySsh(address, settings); };
  means.otherClock = OtherClock{clock};
  means.inNamespace = [address = std::move(address), clock](const Place& place) -> std::optional<CaptureMeans> {
    const auto there = addressInNamespace(address, place);
    return there ? std::optional(captureMeansBySsh(*there, clock)) : std::nullopt;
  };
  return means;
}

}  // namespace tcpscope
