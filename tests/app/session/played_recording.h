// A recording that is played to a test's clock, and its report at each moment.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/session/recorded_session.h"
#include "app/session/replay_player.h"
#include "core/present/json/connections_document.h"
#include "core/wire/loss/loss_summary.h"
#include "tests/support/built_paths.h"
#include "tests/support/json_schema.h"
#include "tests/support/session_watch.h"
#include "tests/support/written_recording.h"

namespace tcpscope::test {

/// Some bytes of the file are others.
inline void damage(const std::filesystem::path& path) {
  std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
  stream.seekp(static_cast<std::streamoff>(std::filesystem::file_size(path) / 3));
  stream.write("\0\1\2\3\4\5\6\7", 8);
}

/// The last half of the minute, in several files.
class Ring {
public:
  Ring() { EXPECT_GT(piecesBeside(path()).size(), 2U); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;
  ~Ring() {
    for (const std::filesystem::path& piece : piecesBeside(path())) std::filesystem::remove(piece);
  }
  [[nodiscard]] std::filesystem::path path() const { return m_file.path(); }

private:
  static RecordingLimits limits() {
    RecordingLimits limits;
    limits.age = std::chrono::seconds(43);
    return limits;
  }

  const TemporaryFile m_file{""};
  const WrittenMinute m_written{m_file.path(), limits()};
};

/// What the list shows, and every detail of every connection.
inline std::string saidOf(const AnalysisSession& session, const SessionSnapshot& picture) {
  ConnectionsDocument document;
  document.time = picture.clock.wallAt(picture.time);
  document.places = picture.places;
  document.gaps = picture.gaps;
  document.listeners = picture.listeners;
  document.connections = detailsOf(session, picture);
  std::string said = toJson(document);
  for (const std::uint32_t slot : *picture.order) {
    const ConnectionRow row = picture.row(slot);
    said += fmt::format("row {}: {} {} {} {} {} {} {:02x} {:02x} {}\n", row.id.cookie, row.firstSeen.nanoseconds(),
                        row.closed, row.sendRateBps, row.sentBytes, static_cast<int>(row.limit), row.confidenceRatio,
                        fmt::join(row.sparkline, ""), fmt::join(row.limits.percent, ""), row.retransmittedRatio);
  }
  for (const auto& detail : document.connections) {
    said += fmt::format("history {}: {} samples, {} events, {} marks, {} lost\n", detail->row.id.cookie,
                        detail->history.sampleCount(), detail->events.size(), detail->changeMarks.size(),
                        detail->losses ? detail->losses->lostPackets : 0);
  }
  return said;
}

class PlayedRecording : public testing::Test {
protected:
  void open() { open(m_file.path()); }
  /// Another reader of the same file has left them.
  void openWithCheckpoints(const std::filesystem::path& path, std::size_t spacing) {
    open(path);
    auto twin = Replay::open({&path, 1}, {}, PlaceId{0});
    ASSERT_TRUE(twin.has_value());
    m_checkpoints = std::make_shared<ReplayCheckpoints>(spacing);
    leaveCheckpoints(**twin, *m_checkpoints, {});
    m_player->useCheckpoints(m_checkpoints);
  }
  void open(const std::filesystem::path& path) {
    SessionControl control;
    control.focus = ConnectionId{PlaceId{0}, 1};
    auto replay = Replay::open({&path, 1}, control, PlaceId{0});
    ASSERT_TRUE(replay.has_value());
    m_player.emplace(
        std::move(*replay), [this] { return m_takesASecond ? m_now = m_now + std::chrono::seconds(1) : m_now; },
        control.listInterval);
  }
  void SetUp() override { open(); }

  /// Time passes here, and the player does what it has to do.
  void pass(Nanoseconds span) {
    const Moment end = m_now + span;
    for (auto next = m_player->nextStep(); next && *next <= end; next = m_player->nextStep()) {
      m_now = std::max(m_now, *next);
      step();
    }
    m_now = end;
  }
  /// Executes an order until no step is left.
  void obey(ReplayOrder order) {
    m_player->obey(order);
    for (auto next = m_player->nextStep(); next; next = m_player->nextStep()) {
      m_now = std::max(m_now, *next);
      step();
    }
  }
  void step() {
    std::shared_ptr<const SessionSnapshot> picture = m_player->step();
    if (!picture) return;
    m_picture = std::move(picture);
    ++m_pictures;
  }
  void playFor(Nanoseconds span, std::optional<double> speed) {
    m_player->obey({.motion = ReplayMotion::forwards, .speed = ReplaySpeed{speed}});
    pass(span);
    obey({.motion = ReplayMotion::stands});
  }
  [[nodiscard]] std::string said() const { return saidOf(m_player->replay().session(), *m_picture); }
  [[nodiscard]] Nanoseconds position() const { return m_player->position().at - writtenBegin(); }
  [[nodiscard]] std::size_t rows() const { return m_picture->order->size(); }

  const TemporaryFile m_file{""};
  const WrittenMinute m_written{m_file.path()};
  Moment m_now = Moment::fromNanoseconds(5'000'000'000'000);
  bool m_takesASecond = false;
  std::optional<ReplayPlayer> m_player;
  std::shared_ptr<ReplayCheckpoints> m_checkpoints;
  std::shared_ptr<const SessionSnapshot> m_picture;
  int m_pictures = 0;
};

}  // namespace tcpscope::test
