#include "core/session/owner_register.h"

namespace tcpscope {

namespace {

/// Fields of an owner in one string; the zero byte cannot be part of a name from the kernel.
std::string content(const Owner& owner) {
  std::string text = std::to_string(owner.pid);
  const auto append = [&](const UntrustedText& part) { text.append(1, '\0').append(part.rawBytes()); };
  append(owner.processName);
  append(owner.userName.value_or(UntrustedText()));
  append(owner.unitOrContainer.value_or(UntrustedText()));
  return text;
}

}  // namespace

std::uint32_t OwnerRegister::indexOf(const Owner& owner) {
  const auto [entry, isNew] =
      m_indexByContent.try_emplace(content(owner), static_cast<std::uint32_t>(m_owners->size()));
  if (isNew) {
    auto extended = std::make_shared<Owners>(*m_owners);
    extended->push_back(std::make_shared<const Owner>(owner));
    m_owners = std::move(extended);
  }
  return entry->second;
}

}  // namespace tcpscope
