// What passes the devices of a lab's hosts, captured while it runs.
#include <gmock/gmock.h>
#include <sys/socket.h>

#include "collectors/pcap/capture_reader.h"
#include "tests/app/lab/running_lab.h"

namespace tcpscope::lab {
namespace {

using test::traffic;
using test::twoHosts;
using testing::Optional;

using LabPacketsTest = test::RunningLab;

/// A stream's bytes, to its end.
class StreamSource final : public ByteSource {
public:
  explicit StreamSource(int descriptor) : m_descriptor(descriptor) {}
  Expected<std::size_t, CaptureFault> read(std::span<std::byte> out) override {
    const ssize_t bytes = ::read(m_descriptor, out.data(), out.size());
    return static_cast<std::size_t>(std::max<ssize_t>(bytes, 0));
  }

private:
  int m_descriptor;
};

LiveCaptureSettings onAnyDevice(std::string filter) {
  LiveCaptureSettings settings;
  settings.filter = std::move(filter);
  return settings;
}

Scenario endlessTransfer() {
  Scenario scenario = twoHosts();
  scenario.traffic = {traffic("main")};
  return scenario;
}

TEST_F(LabPacketsTest, ComeWhileTheLabRunsAndEndWithTheCount) {
  ASSERT_NO_FATAL_FAILURE(start(endlessTransfer()));
  if (!lab()) return;
  const auto stream = lab()->capture(0, onAnyDevice("tcp"));
  ASSERT_TRUE(stream);
  auto reader = CaptureReader::open(std::make_unique<StreamSource>(stream->get()));
  ASSERT_TRUE(reader);
  std::size_t packets = 0;
  constexpr std::size_t kSome = 100;
  while (const CaptureItem item = (*reader)->next()) {
    packets += item.frame != nullptr ? 1 : 0;
    if (packets == kSome) shutdown(stream->get(), SHUT_WR);
  }
  EXPECT_GE(packets, kSome);
  EXPECT_THAT((*reader)->drops().byStatistics, Optional(0U));
}

TEST_F(LabPacketsTest, AreThoseThatTheFilterTakes) {
  ASSERT_NO_FATAL_FAILURE(start(endlessTransfer()));
  if (!lab()) return;
  const auto none = lab()->capture(0, onAnyDevice("udp port 9"));
  const auto some = lab()->capture(1, onAnyDevice("tcp"));
  ASSERT_TRUE(none && some);
  auto reader = CaptureReader::open(std::make_unique<StreamSource>(some->get()));
  ASSERT_TRUE(reader && (*reader)->next().frame != nullptr);
  shutdown(none->get(), SHUT_WR);
  auto other = CaptureReader::open(std::make_unique<StreamSource>(none->get()));
  ASSERT_TRUE(other);
  EXPECT_FALSE((*other)->next());
}

TEST_F(LabPacketsTest, AFilterThatIsNoneIsRefused) {
  ASSERT_NO_FATAL_FAILURE(start(endlessTransfer()));
  if (!lab()) return;
  const auto stream = lab()->capture(0, onAnyDevice("port of call"));
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().kind, LiveCaptureErrorKind::badFilter);
  EXPECT_TRUE(lab()->capture(0, onAnyDevice("tcp")));
}

TEST_F(LabPacketsTest, OfAHostThatIsNoneThereAreNone) {
  ASSERT_NO_FATAL_FAILURE(start(endlessTransfer()));
  if (!lab()) return;
  const auto stream = lab()->capture(2, onAnyDevice("tcp"));
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().kind, LiveCaptureErrorKind::failed);
}

}  // namespace
}  // namespace tcpscope::lab
