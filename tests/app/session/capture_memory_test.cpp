#include "app/session/capture_memory.h"

#include <gmock/gmock.h>

namespace tcpscope {
namespace {

using testing::Optional;

TEST(CaptureMemory, IsReadFromMemInfo) {
  EXPECT_THAT(availableMemory("MemTotal:       24576000 kB\nMemAvailable:    1024 kB\n"), Optional(1024U * 1024U));
  EXPECT_EQ(availableMemory("MemTotal:       24576000 kB\n"), std::nullopt);
  EXPECT_EQ(availableMemory("MemAvailable: much\n"), std::nullopt);
  EXPECT_EQ(availableMemory("MemAvailable:"), std::nullopt);
}

TEST(CaptureMemory, IsNeverMoreThanTwoGibibytes) {
  EXPECT_GT(captureMemory(), 0U);
  EXPECT_LE(captureMemory(), std::size_t{2} << 30U);
}

}  // namespace
}  // namespace tcpscope
