// How packets are captured in another network namespace of this host: by tcpscope-cli as a child, which enters the
// namespace before it has a second thread, as entering the user namespace that owns it demands.
//
// Whether the child may enter and capture shows when it is started; its standard error says why not.
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

/// `commandLine` is tcpscope-cli; `networkNamespace` a descriptor of the namespace.
CaptureMeans captureMeansInside(std::string commandLine, std::shared_ptr<const OwnedDescriptor> networkNamespace);

/// Those of the namespaces that come and go while a session runs. Its functions may be called from any thread.
class NamespaceCaptures {
public:
  explicit NamespaceCaptures(std::string commandLine) : m_commandLine(std::move(commandLine)) {}

  /// The descriptor stays the caller's.
  void add(PlaceId place, const OwnedDescriptor& networkNamespace);
  void remove(PlaceId place);
  /// Absent for places that were not added.
  [[nodiscard]] std::optional<CaptureMeans> meansOf(PlaceId place) const;

private:
  const std::string m_commandLine;
  mutable std::mutex m_mutex;
  std::map<PlaceId, std::shared_ptr<const OwnedDescriptor>> m_namespaces;
};

}  // namespace tcpscope
