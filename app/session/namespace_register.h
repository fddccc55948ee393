// The other network namespaces of this host that come and go while a session runs, for what works in one of them on a
// thread of its own: captures, and the connection in focus.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "collectors/system/owned_descriptor.h"
#include "core/model/connection_id.h"

namespace tcpscope {

/// Its functions may be called from any thread.
class NamespaceRegister {
public:
  /// The descriptor stays the caller's.
  void add(PlaceId place, const OwnedDescriptor& networkNamespace);
  void remove(PlaceId place);
  /// Null for places that were not added.
  [[nodiscard]] std::shared_ptr<const OwnedDescriptor> descriptorOf(PlaceId place) const;

private:
  mutable std::mutex m_mutex;
  std::map<PlaceId, std::shared_ptr<const OwnedDescriptor>> m_namespaces;
};

}  // namespace tcpscope
