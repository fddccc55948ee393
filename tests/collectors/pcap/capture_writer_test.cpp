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

TEST_F(CaptureWriterTest, ACommentStandsBesideItsPacket) {
  CaptureWriter writer(m_file.get(), LinkType::rawIp, "sender", Bytes(160));
  for (const std::string_view comment : {"", "first", "of four "}) {
    writer.write(kNoon, test::ipPacket({}), 60, comment);
  }
  writer.flush();
  EXPECT_EQ(written().segments, 3U);
  std::string bytes(4096, '\0');
  bytes.resize(static_cast<std::size_t>(pread(m_file.get(), bytes.data(), bytes.size(), 0)));
  // Option 1, its length without padding, the text, and the end of the options.
  EXPECT_THAT(bytes, testing::HasSubstr(std::string("\1\0\5\0first\0\0\0\0\0\0\0", 16)));
  EXPECT_THAT(bytes, testing::HasSubstr(std::string("\1\0\10\0of four \0\0\0\0", 16)));
}

TEST_F(CaptureWriterTest, ACommentThatIsTooLongIsCut) {
  CaptureWriter writer(m_file.get(), LinkType::rawIp, "sender", Bytes(160));
  writer.write(kNoon, test::ipPacket({}), 60, std::string(100'000, 'x'));
  writer.write(kNoon, test::ipPacket({}), 60);
  writer.flush();
  EXPECT_EQ(written().segments, 2U);
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
