#include "core/session/owner_register.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

Owner owner(std::int32_t pid, const char* name) {
  return {pid, UntrustedText(name), std::nullopt, std::nullopt};
}

TEST(OwnerRegister, HoldsEqualOwnersOnce) {
  OwnerRegister owners;
  const std::uint32_t first = owners.indexOf(owner(7, "nginx"));
  EXPECT_EQ(owners.indexOf(owner(7, "nginx")), first);
  EXPECT_NE(owners.indexOf(owner(8, "nginx")), first);
  EXPECT_NE(owners.indexOf(owner(7, "curl")), first);
  EXPECT_EQ(owners.publish()->size(), 3U);
}

TEST(OwnerRegister, FindsTheOwnerOfAnIndexAndNothingForNone) {
  OwnerRegister owners;
  const std::uint32_t index = owners.indexOf(owner(7, "nginx"));
  EXPECT_EQ(owners.find(index)->pid, 7);
  EXPECT_EQ(owners.find(kNoOwner), nullptr);
}

TEST(OwnerRegister, AnAbsentNameIsNotAnEmptyOne) {
  OwnerRegister owners;
  Owner anonymous = owner(7, "nginx");
  const std::uint32_t absent = owners.indexOf(anonymous);
  anonymous.userName = UntrustedText();
  EXPECT_NE(owners.indexOf(anonymous), absent);
}

TEST(OwnerRegister, AHostThatJoinedLeavesSpaceForTheOthers) {
  SessionBudget budget;
  budget.ownerBytes = 64'000;
  budget.joinedOwnerBytes = 16'000;
  OwnerRegister owners(budget);
  std::int32_t pid = 0;
  while (owners.indexOf(owner(++pid, "evil"), true) != kNoOwner) {
  }
  EXPECT_LE(owners.bytes(), budget.joinedOwnerBytes);
  EXPECT_NE(owners.indexOf(owner(7'000'000, "nginx")), kNoOwner);
  EXPECT_NE(owners.indexOf(owner(7'000'000, "nginx"), true), kNoOwner) << "known already";
}

TEST(OwnerRegister, WhatASnapshotHoldsDoesNotGrow) {
  OwnerRegister owners;
  owners.indexOf(owner(7, "nginx"));
  const auto held = owners.publish();
  owners.indexOf(owner(8, "curl"));
  EXPECT_EQ(held->size(), 1U);
}

}  // namespace
}  // namespace tcpscope
