// The other network namespaces of this host that come and go while a session runs, for what works in one of them on a
// thread of its own: captures, and the connection in focus.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "app/session/capture_means.h"
#include "collectors/system/owned_descriptor.h"
#include "core/model/connection_id.h"

namespace tcpscope {

/// Its functions may be called from any thread.
class NamespaceRegister {
public:
  /// `commandLine` is tcpscope-cli, by which packets are captured; empty where they are not.
  explicit NamespaceRegister(std::string commandLine) : m_commandLine(std::move(commandLine)) {}

  /// The descriptor stays the caller's.
  void add(PlaceId place, const OwnedDescriptor& networkNamespace);
  void remove(PlaceId place);
  /// Null for places that were not added.
  [[nodiscard]] std::shared_ptr<const OwnedDescriptor> descriptorOf(PlaceId place) const;
  /// Absent for places that were not added, and without a command line.
  [[nodiscard]] std::optional<CaptureMeans> captureMeansOf(PlaceId place) const;

private:
  const std::string m_commandLine;
  mutable std::mutex m_mutex;
  std::map<PlaceId, std::shared_ptr<const OwnedDescriptor>> m_namespaces;
};

}  // namespace tcpscope
