// Every owner once: thousands of sockets of one server share its name.
//
// An owner stays as long as a connection has it. Bounded: an owner that the budget has no space for is not taken.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/session/session_budget.h"
#include "core/session/session_snapshot.h"

namespace tcpscope {

class OwnerRegister {
public:
  using Owners = std::vector<std::shared_ptr<const Owner>>;

  explicit OwnerRegister(const SessionBudget& budget = {}) : m_budget(budget) {}
  OwnerRegister(const OwnerRegister& other)
      : m_budget(other.m_budget),
        m_bytes(other.m_bytes),
        m_owners(std::make_shared<Owners>(*other.m_owners)),
        m_uses(other.m_uses),
        m_free(other.m_free),
        m_indexOf(other.m_indexOf) {}
  OwnerRegister(OwnerRegister&&) noexcept = default;
  OwnerRegister& operator=(const OwnerRegister& other) { return *this = OwnerRegister(other); }
  OwnerRegister& operator=(OwnerRegister&&) noexcept = default;
  ~OwnerRegister() = default;

  /// What the owners take. A copy shares their texts.
  [[nodiscard]] std::size_t bytes() const { return m_bytes; }
  /// Index of this owner, the same for equal ones; it is used once more. kNoOwner where the budget has no space for it,
  /// which is smaller for what a host that joined says.
  std::uint32_t indexOf(const Owner& owner, bool isOfJoined = false);
  /// One use of it ends; with the last use the owner goes.
  void release(std::uint32_t index);
  /// Null for kNoOwner.
  [[nodiscard]] const Owner* find(std::uint32_t index) const { return share(index).get(); }
  [[nodiscard]] const std::shared_ptr<const Owner>& share(std::uint32_t index) const {
    return index == kNoOwner ? m_none : (*m_owners)[index];
  }
  /// What a snapshot holds from now on: it does not change any more, the next change makes a copy.
  [[nodiscard]] std::shared_ptr<const Owners> publish();

private:
  struct ByOwner {
    bool operator()(const Owner* one, const Owner* other) const { return *one < *other; }
  };
  /// The list, of which no snapshot has a share.
  Owners& changing();
  void put(std::uint32_t index, std::shared_ptr<const Owner> owner);
  /// With its entries in the list and the index.
  static std::size_t residentBytes(const Owner& owner);

  SessionBudget m_budget;
  std::size_t m_bytes = 0;
  std::shared_ptr<const Owner> m_none;
  /// Null where the last use has ended.
  std::shared_ptr<Owners> m_owners = std::make_shared<Owners>();
  bool m_isPublished = false;
  std::vector<std::uint32_t> m_uses;
  std::vector<std::uint32_t> m_free;
  /// Points into m_owners, whose owners never move.
  std::map<const Owner*, std::uint32_t, ByOwner> m_indexOf;
};

}  // namespace tcpscope
