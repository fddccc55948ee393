#include "collectors/bpf/drop_reasons.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

/// Of Linux 6.18, shortened.
DropReasons someReasons() {
  DropReasons reasons;
  reasons.add(1, "SKB_CONSUMED");
  reasons.add(2, "SKB_DROP_REASON_NOT_SPECIFIED");
  reasons.add(12, "SKB_DROP_REASON_NETFILTER_DROP");
  reasons.add(33, "SKB_DROP_REASON_TCP_OLD_DATA");
  reasons.add(104, "SKB_DROP_REASON_QUEUE_PURGE");
  reasons.add(0xffff0000U, "SKB_DROP_REASON_SUBSYS_MASK");
  return reasons;
}

TEST(DropReasons, NumbersHaveTheNamesOfTheRunningKernel) {
  const DropReasons reasons = someReasons();
  EXPECT_EQ(reasons.reason(12), (DropReason{"NETFILTER_DROP", 12}));
  EXPECT_EQ(reasons.reason(0x2000a), (DropReason{"", 0x2000a}))
      << "of a subsystem, which has an enumeration of its own";
  EXPECT_EQ(reasons.numberOf("NOT_SPECIFIED"), 2U);
  EXPECT_FALSE(reasons.numberOf("XDP"));
}

TEST(DropReasons, ConsumedPacketsAndDuplicatesAreNoLoss) {
  const auto noLoss = someReasons().noLoss();
  EXPECT_EQ(noLoss[0], std::uint64_t{1} << 1 | std::uint64_t{1} << 33);
  EXPECT_EQ(noLoss[1], std::uint64_t{1} << (104 - 64));
  EXPECT_FALSE(isNoLoss("NOT_SPECIFIED")) << "dropped, and the kernel gives no reason";
  EXPECT_FALSE(isNoLoss("TCP_ZEROWINDOW"));
}

}  // namespace
}  // namespace tcpscope
