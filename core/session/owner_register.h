// Every owner once: thousands of sockets of one server share its name.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/session/session_snapshot.h"

namespace tcpscope {

class OwnerRegister {
public:
  using Owners = std::vector<std::shared_ptr<const Owner>>;

  /// Index of this owner, the same for equal ones.
  std::uint32_t indexOf(const Owner& owner);
  /// Null for kNoOwner.
  [[nodiscard]] const Owner* find(std::uint32_t index) const { return share(index).get(); }
  [[nodiscard]] const std::shared_ptr<const Owner>& share(std::uint32_t index) const {
    return index == kNoOwner ? m_none : (*m_owners)[index];
  }
  /// Shared with snapshots: it is copied when a new owner comes.
  [[nodiscard]] const std::shared_ptr<const Owners>& owners() const { return m_owners; }

private:
  std::shared_ptr<const Owner> m_none;
  std::shared_ptr<const Owners> m_owners = std::make_shared<Owners>();
  std::unordered_map<std::string, std::uint32_t> m_indexByContent;
};

}  // namespace tcpscope
