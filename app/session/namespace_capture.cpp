#include "app/session/namespace_capture.h"

#include <fcntl.h>

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

void NamespaceCaptures::add(PlaceId place, const OwnedDescriptor& networkNamespace) {
  OwnedDescriptor own(fcntl(networkNamespace.get(), F_DUPFD_CLOEXEC, 0));
  if (own.get() < 0) return;
  const std::lock_guard lock(m_mutex);
  m_namespaces.insert_or_assign(place, std::make_shared<const OwnedDescriptor>(std::move(own)));
}

void NamespaceCaptures::remove(PlaceId place) {
  const std::lock_guard lock(m_mutex);
  m_namespaces.erase(place);
}

std::optional<CaptureMeans> NamespaceCaptures::meansOf(PlaceId place) const {
  const std::lock_guard lock(m_mutex);
  const auto found = m_namespaces.find(place);
  if (found == m_namespaces.end()) return std::nullopt;
  return captureMeansInside(m_commandLine, found->second);
}

}  // namespace tcpscope
