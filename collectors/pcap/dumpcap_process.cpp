#include "collectors/pcap/dumpcap_process.h"

namespace tcpscope {

Expected<ChildProcess, ChildError> startDumpcap(const DumpcapSettings& settings, ChildStream output) {
  const LiveCaptureSettings& capture = settings.capture;
  ChildCommand command;
  command.arguments = {
      settings.program, "-q", "-i", capture.interface, "-s", std::to_string(capture.snapLength.value()), "-w", "-"};
  if (!capture.filter.empty()) command.arguments.insert(command.arguments.end(), {"-f", capture.filter});
  if (settings.seconds > 0) {
    command.arguments.insert(command.arguments.end(), {"-a", "duration:" + std::to_string(settings.seconds)});
  }
  command.output = output;
  if (settings.isQuiet) command.errors = ChildStream::null();
  return ChildProcess::start(command);
}

}  // namespace tcpscope
