// Every owner once: thousands of sockets of one server share its name.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/session/session_snapshot.h"

namespace tcpscope {

class OwnerRegister {
public:
  using Owners = std::vector<std::shared_ptr<const Owner>>;

  OwnerRegister() = default;
  OwnerRegister(const OwnerRegister& other)
      : m_owners(std::make_shared<Owners>(*other.m_owners)), m_indexOf(other.m_indexOf) {}
  OwnerRegister(OwnerRegister&&) noexcept = default;
  OwnerRegister& operator=(const OwnerRegister& other) { return *this = OwnerRegister(other); }
  OwnerRegister& operator=(OwnerRegister&&) noexcept = default;
  ~OwnerRegister() = default;

  /// About what a copy takes, names of the usual length included.
  [[nodiscard]] std::size_t copyBytes() const {
    constexpr std::size_t kNames = 128;
    return m_owners->size() * (sizeof(Owner) + kNames);
  }
  /// Index of this owner, the same for equal ones.
  std::uint32_t indexOf(const Owner& owner);
  /// Null for kNoOwner.
  [[nodiscard]] const Owner* find(std::uint32_t index) const { return share(index).get(); }
  [[nodiscard]] const std::shared_ptr<const Owner>& share(std::uint32_t index) const {
    return index == kNoOwner ? m_none : (*m_owners)[index];
  }
  /// What a snapshot holds from now on: it does not grow any more, the next new owner makes a copy.
  [[nodiscard]] std::shared_ptr<const Owners> publish();

private:
  std::shared_ptr<const Owner> m_none;
  std::shared_ptr<Owners> m_owners = std::make_shared<Owners>();
  bool m_isPublished = false;
  std::map<Owner, std::uint32_t> m_indexOf;
};

}  // namespace tcpscope
