#include "app/session/namespace_capture.h"

namespace tcpscope {

namespace {

/// The first of ChildCommand::descriptors.
constexpr const char* kChildsDescriptor = "3";

}  // namespace

CaptureMeans captureMeansInside(std::string commandLine, std::shared_ptr<const OwnedDescriptor> networkNamespace) {
  CaptureMeans means;
  means.open = nullptr;
  means.process = [commandLine = std::move(commandLine),
                   networkNamespace = std::move(networkNamespace)](const LiveCaptureSettings& settings) {
    ChildCommand command;
    command.arguments = {commandLine,       "capture",     "--output",         "-",  "--netns-descriptor",
                         kChildsDescriptor, "--interface", settings.interface, "--", settings.filter};
    command.descriptors = {networkNamespace->get()};
    command.input = ChildStream::null();
    // Ctrl+C in this terminal is not its end: the last packets are read before.
    command.hasOwnSession = true;
    command.hasDefaultSignals = true;
    auto started = startCapturing(std::move(command), settings.interface);
    if (!started) {
      started.error().reason = UntrustedText(commandLine + ": " + std::string(started.error().reason.rawBytes()));
    }
    return started;
  };
  return means;
}

}  // namespace tcpscope
