#include "app/session/namespace_register.h"

#include <fcntl.h>

namespace tcpscope {

void NamespaceRegister::add(PlaceId place, const OwnedDescriptor& networkNamespace) {
  OwnedDescriptor own(fcntl(networkNamespace.get(), F_DUPFD_CLOEXEC, 0));
  if (own.get() < 0) return;
  const std::lock_guard lock(m_mutex);
  m_namespaces.insert_or_assign(place, std::make_shared<const OwnedDescriptor>(std::move(own)));
}

void NamespaceRegister::remove(PlaceId place) {
  const std::lock_guard lock(m_mutex);
  m_namespaces.erase(place);
}

std::shared_ptr<const OwnedDescriptor> NamespaceRegister::descriptorOf(PlaceId place) const {
  const std::lock_guard lock(m_mutex);
  const auto found = m_namespaces.find(place);
  return found == m_namespaces.end() ? nullptr : found->second;
}

}  // namespace tcpscope
