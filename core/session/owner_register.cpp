#include "core/session/owner_register.h"

namespace tcpscope {

std::uint32_t OwnerRegister::indexOf(const Owner& owner) {
  const auto [entry, isNew] = m_indexOf.try_emplace(owner, static_cast<std::uint32_t>(m_owners->size()));
  if (!isNew) return entry->second;
  if (m_isPublished) m_owners = std::make_shared<Owners>(*m_owners);
  m_isPublished = false;
  m_owners->push_back(std::make_shared<const Owner>(owner));
  return entry->second;
}

std::shared_ptr<const OwnerRegister::Owners> OwnerRegister::publish() {
  m_isPublished = true;
  return m_owners;
}

}  // namespace tcpscope
