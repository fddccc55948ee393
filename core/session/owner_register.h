// Every owner once: thousands of sockets of one server share its name.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/connection/owner.h"

namespace tcpscope {

class OwnerRegister {
public:
  using Owners = std::vector<std::shared_ptr<const Owner>>;

  /// Index of this owner, the same for equal ones.
  std::uint32_t indexOf(const Owner& owner);
  [[nodiscard]] std::shared_ptr<const Owner> at(std::uint32_t index) const { return (*m_owners)[index]; }
  /// Shared with snapshots: it is copied when a new owner comes.
  [[nodiscard]] const std::shared_ptr<const Owners>& owners() const { return m_owners; }

private:
  std::shared_ptr<const Owners> m_owners = std::make_shared<Owners>();
  std::unordered_map<std::string, std::uint32_t> m_indexByContent;
};

}  // namespace tcpscope
