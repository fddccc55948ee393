#include "collectors/pcap/capture_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collectors/pcap/capture_reader.h"
#include "collectors/system/owned_descriptor.h"
#include "tests/support/capture_text.h"

namespace tcpscope {
namespace {

constexpr WallTime kNoon = WallTime::fromNanoseconds(1'700'000'000'123'456'789);

class CaptureWriterTest : public ::testing::Test {
protected:
  test::CaptureText written() {
    lseek(m_file.get(), 0, SEEK_SET);
    return test::readCapture(descriptorSource(dup(m_file.get())));
  }
  OwnedDescriptor m_file{memfd_create("capture", MFD_CLOEXEC)};
};

TEST_F(CaptureWriterTest, ANewFileIsACaptureWithoutPackets) {
  CaptureWriter writer(m_file.get(), LinkType::rawIp, "sender", Bytes(160));
  writer.flush();
  EXPECT_THAT(written().lines, testing::IsEmpty());
}

TEST_F(CaptureWriterTest, WrittenPacketsAreReadBackToTheNanosecond) {
  test::SegmentText segment;
  segment.payloadBytes = 1000;
  CaptureWriter writer(m_file.get(), LinkType::rawIp, "sender", Bytes(40));
  writer.write(kNoon, test::ipPacket(segment));
  writer.flush();
  const test::CaptureText text = written();
  ASSERT_EQ(text.segments, 1U);
  EXPECT_THAT(text.lines.front(), testing::StartsWith("1700000000.123456789 #0"));
  EXPECT_THAT(text.lines.front(), testing::HasSubstr("len 1000")) << "though 40 bytes of it were kept";
}

TEST_F(CaptureWriterTest, TheStatisticsAtTheEndHoldTheLostPackets) {
  CaptureWriter writer(m_file.get(), LinkType::rawIp, "sender", Bytes(160));
  writer.write(kNoon, std::vector<std::byte>(60));
  writer.addCounts(kNoon, Count(8), Count(7));
  lseek(m_file.get(), 0, SEEK_SET);
  auto reader = CaptureReader::open(descriptorSource(dup(m_file.get())));
  ASSERT_TRUE(reader);
  while ((*reader)->next()) continue;
  EXPECT_EQ((*reader)->counts().frames, 1U);
  EXPECT_EQ((*reader)->drops().byStatistics, 7U);
}

TEST_F(CaptureWriterTest, PacketsThatADiskHasNoRoomForAreCounted) {
  CaptureWriter writer(-1, LinkType::rawIp, "sender", Bytes(160));
  writer.write(kNoon, std::vector<std::byte>(60));
  writer.write(kNoon, std::vector<std::byte>(60));
  writer.flush();
  EXPECT_EQ(writer.lost(), Count(2));
}

}  // namespace
}  // namespace tcpscope
