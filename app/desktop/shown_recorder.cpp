#include "app/desktop/shown_recorder.h"

#include <fmt/format.h>

#include "app/desktop/background_work.h"
#include "app/session/local_place.h"
#include "collectors/trace/recording_pieces.h"
#include "core/base/escape.h"
#include "core/present/text/error_text.h"
#include "core/present/text/source_text.h"

namespace tcpscope {

ShownRecorder::~ShownRecorder() {
  stop();
  // Else files would stay that the user does not expect.
  if (m_discarded.valid()) m_discarded.wait();
}

void ShownRecorder::start(const std::string& path, RecordedData data) {
  begin(path, data, m_settings);
}

void ShownRecorder::startRing(const std::string& path, std::chrono::seconds keeps) {
  RecordingSettings settings = m_settings;
  settings.limits.age = keeps;
  begin(path, RecordedData::samples, settings);
}

void ShownRecorder::begin(const std::string& path, RecordedData data, const RecordingSettings& settings) {
  stop();
  forget();
  m_path = path;
  m_data = data;
  m_from = &m_shown.shown();
  const auto snapshot = m_from->latest();
  const bool isLive = dynamic_cast<LiveSession*>(m_from) != nullptr && snapshot && !snapshot->places.empty() &&
                      snapshot->places.front().recording.empty();
  if (!isLive) {
    m_refusal = nothingToRecordSentence();
    return;
  }
  m_starting = postTo(m_background, [path, places = snapshot->places, settings](const std::stop_token&) {
    return SessionRecorder::start(path, places, clockPairNow(), settings);
  });
}

/// Only the background queue waits for the disk.
void ShownRecorder::takeStarted() {
  if (!isThere(m_starting)) return;
  Started started = m_starting.get();
  if (!started) {
    m_refusal = sentence(started.error());
    return;
  }
  m_recorder = std::move(*started);
  auto* live = dynamic_cast<LiveSession*>(m_from);
  if (m_from == &m_shown.shown() && live != nullptr) {
    live->recordInto(m_recorder);
    if (m_data == RecordedData::samplesAndPackets) {
      for (const auto& [place, path] : m_recorder->paths()) m_packets[place] = std::make_shared<PacketRecorder>(path);
    }
    live->recordPacketsInto(m_packets);
  } else {
    m_recorder->requestStop();
  }
}

void ShownRecorder::stop() {
  if (m_starting.valid()) m_starting.wait();
  takeStarted();
  if (m_recorder) m_recorder->requestStop();
  for (const auto& [place, packets] : m_packets) packets->finish();
}

void ShownRecorder::discard() {
  stop();
  const std::shared_ptr<SessionRecorder> recorder = m_recorder;
  forget();
  if (!recorder) return;
  m_discarded = postTo(m_background, [recorder](const std::stop_token&) {
    recorder->finish();
    std::error_code ignored;
    for (const auto& [place, path] : recorder->paths()) {
      for (const std::filesystem::path& piece : piecesBeside(path)) std::filesystem::remove(piece, ignored);
      std::filesystem::remove(path, ignored);
    }
  });
}

void ShownRecorder::forget() {
  m_recorder.reset();
  m_packets.clear();
  m_refusal.clear();
  m_path.clear();
}

/// Of the file with the most packets: one connection is captured at a time.
std::string ShownRecorder::packetsNotice() const {
  std::string notice;
  std::uint64_t most = 0;
  for (const auto& [place, recorder] : m_packets) {
    const PacketRecorderState packets = recorder->state();
    if (packets.error) return sentence(*packets.error);
    if (!notice.empty() && packets.packets <= most) continue;
    most = packets.packets;
    const UntrustedText file(recorder->file().filename().string());
    notice = recordedPacketsSentence(packets.packets, packets.leftOut, PacketRecorder::kBudget, file);
  }
  return notice;
}

/// Each host and each network namespace has a file of its own.
std::string ShownRecorder::filesNotice() const {
  constexpr std::size_t kMostNamed = 3;
  std::string names;
  std::size_t others = 0;
  for (const auto& [place, path] : m_recorder->paths()) {
    if (path == m_path) continue;
    if (++others > kMostNamed) continue;
    names += (names.empty() ? "" : ", ") + forPlainText(UntrustedText(path.filename().string()));
  }
  if (others == 0) return {};
  if (others > kMostNamed) names += fmt::format(" and {} more", others - kMostNamed);
  return fmt::format("The other hosts and network namespaces have files of their own beside it: {}.", names);
}

RecordState ShownRecorder::state() {
  takeStarted();
  RecordState state;
  state.name = forPlainText(std::filesystem::path(m_path).filename().string());
  if (!m_refusal.empty()) {
    state.phase = RecordPhase::failed;
    state.notice = m_refusal;
    return state;
  }
  if (m_starting.valid()) state.phase = RecordPhase::recording;
  if (!m_recorder) return state;
  const SessionRecorderState recorded = m_recorder->state();
  state.path = m_path;
  state.bytes = recorded.bytes;
  state.elapsedS = toSeconds(recorded.ended.value_or(m_settings.now()) - recorded.began);
  state.phase = recorded.ended ? RecordPhase::ended : RecordPhase::recording;
  state.notice = packetsNotice();
  const std::string files = filesNotice();
  if (!files.empty()) state.notice += (state.notice.empty() ? "" : " ") + files;
  if (recorded.error) {
    state.phase = RecordPhase::failed;
    state.notice = sentence(*recorded.error);
  }
  return state;
}

}  // namespace tcpscope
