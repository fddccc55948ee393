#include "app/lab/path/packet_pool.h"

#include <gtest/gtest.h>

#include "app/lab/path/ring_queue.h"

namespace tcpscope::lab {
namespace {

const std::vector<std::uint8_t> kBytes(1500, 'x');

TEST(PacketPool, UsesMemoryAgain) {
  PacketPool pool;
  const std::uint8_t* memory = nullptr;
  {
    const Packet packet = pool.make(kBytes);
    memory = packet.bytes().data();
  }
  EXPECT_EQ(pool.idle(), 1U);
  const Packet small = pool.make(std::span(kBytes).first(40));
  EXPECT_EQ(small.size(), 40U);
  EXPECT_EQ(small.bytes().data(), memory);
  EXPECT_EQ(pool.idle(), 0U);
}

TEST(PacketPool, KeepsCopiesApart) {
  PacketPool pool;
  Packet packet = pool.make(kBytes);
  const Packet copy = packet.copy();
  packet.bytes()[0] = 'y';
  EXPECT_EQ(copy.bytes()[0], 'x');
}

TEST(PacketPool, TakesBackAPacketThatIsReplaced) {
  PacketPool pool;
  Packet packet = pool.make(kBytes);
  packet = pool.make(kBytes);
  EXPECT_EQ(pool.idle(), 1U);
  const Packet moved = std::move(packet);
  EXPECT_EQ(moved.size(), kBytes.size());
  EXPECT_EQ(pool.idle(), 1U);
}

TEST(RingQueue, KeepsTheOrderWhileItGrowsAndWraps) {
  RingQueue<int> queue;
  int pushed = 0;
  int popped = 0;
  for (int round = 0; round < 100; ++round) {
    for (int count = 0; count < 7; ++count) queue.push(int{pushed++});
    EXPECT_EQ(queue.back(), pushed - 1);
    for (int count = 0; count < 5; ++count) ASSERT_EQ(queue.pop(), popped++);
  }
  EXPECT_EQ(queue.size(), 200U);
  while (!queue.empty()) ASSERT_EQ(queue.pop(), popped++);
  EXPECT_EQ(popped, pushed);
}

}  // namespace
}  // namespace tcpscope::lab
