// The log in a file that grows while it is read.
#include "app/lab/path/path_log_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app/lab/path/lateness.h"

namespace tcpscope::lab {
namespace {

using namespace std::chrono_literals;

PathEvent anEvent(std::uint32_t sequence, bool ipv6 = false) {
  PathEvent event;
  event.time = Moment::fromNanoseconds(123'456'789'012'345);
  event.kind = PathEventKind::policerDrop;
  event.link = 513;
  event.source = {*IpAddress::parse(ipv6 ? "fd77::1" : "10.77.0.1"), 40'000};
  event.destination = {*IpAddress::parse(ipv6 ? "fd77::2" : "10.77.0.2"), 5'001};
  event.sequence = sequence;
  event.payloadBytes = 1448;
  return event;
}

bool same(const PathEvent& a, const PathEvent& b) {
  return a.time == b.time && a.kind == b.kind && a.link == b.link && a.source == b.source &&
         a.destination == b.destination && a.sequence == b.sequence && a.payloadBytes == b.payloadBytes;
}

class PathLogFile : public ::testing::Test {
protected:
  ~PathLogFile() override { close(m_file); }
  int m_file = memfd_create("path log", MFD_CLOEXEC);
};

TEST_F(PathLogFile, GivesBackWhatWasWritten) {
  PathLogWriter writer(m_file);
  writer.append(anEvent(1));
  writer.append(anEvent(0xffffffff, true));
  writer.flush();
  const std::vector<PathEvent> events = readPathLog(m_file);
  ASSERT_EQ(events.size(), 2U);
  EXPECT_TRUE(same(events[0], anEvent(1)));
  EXPECT_TRUE(same(events[1], anEvent(0xffffffff, true)));
}

TEST_F(PathLogFile, IsReadOnFromWhereTheReaderWas) {
  PathLogWriter writer(m_file);
  for (std::uint32_t event = 0; event < 5000; ++event) writer.append(anEvent(event));
  writer.flush();
  const std::vector<PathEvent> rest = readPathLog(m_file, 4998);
  ASSERT_EQ(rest.size(), 2U);
  EXPECT_EQ(rest[0].sequence, 4998U);
  EXPECT_EQ(readPathLog(m_file).size(), 5000U);
  EXPECT_TRUE(readPathLog(m_file, 5000).empty());
}

TEST_F(PathLogFile, IsNotReadIntoARecordThatIsHalfThere) {
  PathLogWriter writer(m_file);
  writer.append(anEvent(1));
  writer.append(anEvent(2));
  writer.flush();
  ASSERT_EQ(ftruncate(m_file, kPathRecordBytes + 20), 0);
  EXPECT_EQ(readPathLog(m_file).size(), 1U);
}

TEST_F(PathLogFile, IsNotReadPastWhatIsNoRecord) {
  PathLogWriter writer(m_file);
  for (std::uint32_t event = 0; event < 3; ++event) writer.append(anEvent(event));
  writer.flush();
  const std::uint8_t unknown = 200;
  ASSERT_EQ(pwrite(m_file, &unknown, 1, kPathRecordBytes + 8), 1);
  EXPECT_EQ(readPathLog(m_file).size(), 1U);
}

TEST_F(PathLogFile, CountsWhatCouldNotBeWritten) {
  // Nothing may grow: as on a full disk.
  const int sealed = memfd_create("full", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  ASSERT_EQ(ftruncate(sealed, kPathRecordBytes), 0);
  ASSERT_EQ(fcntl(sealed, F_ADD_SEALS, F_SEAL_GROW), 0);
  PathLogWriter writer(sealed);
  for (std::uint32_t event = 0; event < 3; ++event) writer.append(anEvent(event));
  writer.flush();
  EXPECT_EQ(writer.lost().value() + readPathLog(sealed).size(), 3U);
  EXPECT_GE(writer.lost(), Count(2));
  close(sealed);
}

TEST(Lateness, GivesQuantilesAndTheWorst) {
  Lateness lateness;
  EXPECT_EQ(lateness.quantile(0.99), 0ns);
  for (int packet = 1; packet <= 1000; ++packet) lateness.add(Microseconds(packet) - 1ns);
  EXPECT_EQ(lateness.quantile(0.5), 500us);
  EXPECT_EQ(lateness.quantile(0.999), 999us);
  lateness.add(3s);
  EXPECT_EQ(lateness.worst(), 3s);
  EXPECT_EQ(lateness.quantile(1.0), 3s);
}

}  // namespace
}  // namespace tcpscope::lab
