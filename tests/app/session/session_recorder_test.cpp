// A live session that is recorded: the recording shows what was shown, and a full disk ends it alone.
#include "app/session/session_recorder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "app/session/local_place.h"
#include "app/session/recorded_session.h"
#include "collectors/system/monotonic_clock.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/session_watch.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;

/// Goes with its file.
struct RecordingPath {
  std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("tcpscope-recorder-" + std::to_string(getpid()) + ".tcpscope");
  RecordingPath() = default;
  RecordingPath(const RecordingPath&) = delete;
  RecordingPath& operator=(const RecordingPath&) = delete;
  ~RecordingPath() { unlink(path.c_str()); }
};

/// A live session over this machine, in which a sender waits for a reader that does not read.
class SessionRecorderTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_EQ(fcntl(m_ends.first.number(), F_SETFL, O_NONBLOCK), 0);
    const std::array<char, 65536> data{};
    while (write(m_ends.first.number(), data.data(), data.size()) > 0) {
    }
    const auto place = findLocalPlace({});
    ASSERT_TRUE(place);
    m_place = place->place;
    LocalSessionSettings settings;
    settings.control.listInterval = 100ms;
    settings.resolveOwners = false;
    auto session = openLocalSession(*place, settings);
    ASSERT_TRUE(session);
    m_session = std::move(*session);
    ASSERT_TRUE(test::waitForSnapshot(*m_session, [&](const SessionSnapshot& snapshot) { return isHeld(snapshot); }));
  }

  [[nodiscard]] bool isHeld(const SessionSnapshot& snapshot) const {
    const auto row = test::rowOf(snapshot, m_cookie);
    return row && row->limit == Limit::receiver;
  }
  [[nodiscard]] bool reaches(const SessionRecorder& recorder, bool (*condition)(const SessionRecorderState&)) const {
    return test::waitForSnapshot(*m_session, [&](const SessionSnapshot&) { return condition(recorder.state()); }) !=
           nullptr;
  }
  static bool isOver(const SessionRecorderState& state) { return state.ended.has_value(); }

  test::LoopbackListener m_listener;
  std::pair<test::Descriptor, test::Descriptor> m_ends = m_listener.connect();
  std::uint64_t m_cookie = test::cookieOf(m_ends.first);
  Place m_place;
  std::unique_ptr<LiveSession> m_session;
  RecordingPath m_file;
};

TEST_F(SessionRecorderTest, TheRecordingSaysOfAConnectionWhatWasSaidLive) {
  const auto recorder = SessionRecorder::start(m_file.path, {m_place}, clockPairNow(), {monotonicNow});
  ASSERT_TRUE(recorder);
  m_session->recordInto(*recorder);
  const Moment until = monotonicNow() + 2s;
  const auto live = test::waitForSnapshot(*m_session, [&](const SessionSnapshot& now) { return now.time >= until; });
  ASSERT_TRUE(live);
  m_session->recordInto(nullptr);
  (*recorder)->requestStop();
  ASSERT_TRUE(reaches(**recorder, isOver));
  EXPECT_FALSE((*recorder)->state().error);
  EXPECT_EQ((*recorder)->state().bytes, std::filesystem::file_size(m_file.path));

  const auto read = RecordedSession::read(m_file.path, {});
  ASSERT_TRUE(read);
  const auto replayed = (*read)->atEnd();
  const auto then = test::rowOf(*live, m_cookie);
  const auto now = test::rowOf(*replayed, m_cookie);
  ASSERT_TRUE(then && now);
  EXPECT_EQ(now->remote, then->remote);
  EXPECT_EQ(now->limit, Limit::receiver);
  EXPECT_EQ(now->limit, then->limit);
  EXPECT_EQ(now->cause, then->cause);
  EXPECT_EQ(now->sentBytes, then->sentBytes);
}

TEST_F(SessionRecorderTest, AFullDiskEndsTheRecordingAndNothingElse) {
  RecordingSettings settings{monotonicNow};
  std::size_t room = 1'000;
  settings.write = [&room](int descriptor, const void* bytes, std::size_t size) -> ssize_t {
    if (room == 0) return errno = ENOSPC, -1;
    const ssize_t written = write(descriptor, bytes, std::min(size, room));
    if (written > 0) room -= static_cast<std::size_t>(written);
    return written;
  };
  const auto recorder = SessionRecorder::start(m_file.path, {m_place}, clockPairNow(), settings);
  ASSERT_TRUE(recorder);
  m_session->recordInto(*recorder);
  ASSERT_TRUE(reaches(**recorder, isOver));
  ASSERT_TRUE((*recorder)->state().error);
  EXPECT_EQ((*recorder)->state().error->errorNumber, ENOSPC);
  const Moment until = monotonicNow() + 300ms;
  EXPECT_TRUE(test::waitForSnapshot(*m_session, [&](const SessionSnapshot& now) { return now.time >= until; }))
      << "the live view goes on";
}

}  // namespace
}  // namespace tcpscope
