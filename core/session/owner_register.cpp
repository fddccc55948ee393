#include "core/session/owner_register.h"

namespace tcpscope {

std::uint32_t OwnerRegister::indexOf(const Owner& owner, bool isOfJoined) {
  const auto known = m_indexOf.find(&owner);
  if (known != m_indexOf.end()) {
    ++m_uses[known->second];
    return known->second;
  }
  auto added = std::make_shared<const Owner>(owner);
  const std::size_t most = isOfJoined ? m_budget.joinedOwnerBytes : m_budget.ownerBytes;
  if (m_bytes + residentBytes(*added) > most) return kNoOwner;
  auto index = static_cast<std::uint32_t>(m_uses.size());
  if (m_free.empty()) {
    m_uses.push_back(0);
  } else {
    index = m_free.back();
    m_free.pop_back();
  }
  put(index, std::move(added));
  return index;
}

void OwnerRegister::put(std::uint32_t index, std::shared_ptr<const Owner> owner) {
  m_uses[index] = 1;
  m_bytes += residentBytes(*owner);
  m_indexOf.emplace(owner.get(), index);
  Owners& owners = changing();
  if (index == owners.size()) owners.emplace_back();
  owners[index] = std::move(owner);
}

void OwnerRegister::release(std::uint32_t index) {
  if (index == kNoOwner || --m_uses[index] > 0) return;
  const Owner* const owner = find(index);
  m_bytes -= residentBytes(*owner);
  m_indexOf.erase(owner);
  changing()[index].reset();
  m_free.push_back(index);
}

OwnerRegister::Owners& OwnerRegister::changing() {
  if (m_isPublished) m_owners = std::make_shared<Owners>(*m_owners);
  m_isPublished = false;
  return *m_owners;
}

std::size_t OwnerRegister::residentBytes(const Owner& owner) {
  // A node of the index, the counts beside the owner, its places in the lists.
  constexpr std::size_t kEntries = 128;
  return bytesOf(owner) + kEntries;
}

std::shared_ptr<const OwnerRegister::Owners> OwnerRegister::publish() {
  m_isPublished = true;
  return m_owners;
}

}  // namespace tcpscope
