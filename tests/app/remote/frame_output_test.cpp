#include "app/remote/frame_output.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "collectors/system/owned_descriptor.h"

namespace tcpscope {
namespace {

TEST(FrameOutput, GivesBackTheMemoryThatAStalledReaderCost) {
  constexpr std::size_t kMebibyte = 1U << 20;
  const OwnedDescriptor reader(open("/dev/null", O_WRONLY | O_CLOEXEC));
  ASSERT_GE(reader.get(), 0);
  FrameOutput output(reader.get());
  output.buffer().resize(4 * kMebibyte);
  ASSERT_FALSE(output.hasRoom());
  ASSERT_TRUE(output.flush());
  EXPECT_EQ(output.waiting(), 0U);
  EXPECT_LE(output.buffer().capacity(), kMebibyte);
}

}  // namespace
}  // namespace tcpscope
