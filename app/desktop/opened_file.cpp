#include "app/desktop/opened_file.h"

#include <fmt/format.h>

#include <QCoreApplication>
#include <QProcess>

#include "app/desktop/wireshark.h"
#include "app/session/capture_files.h"
#include "app/session/marked_capture.h"
#include "app/session/replay_session.h"
#include "core/base/escape.h"
#include "core/present/text/capture_text.h"
#include "core/present/text/error_text.h"
#include "core/session/capture/capture_gap.h"

namespace tcpscope {

namespace {

/// Beyond those of this host and of demos.
constexpr std::uint32_t kFirstPlace = 1'000'000;

std::string gapsText(const CapturedFile& file) {
  std::string text;
  for (const CaptureGap& gap : gapsOf(file)) {
    if (!text.empty()) text += ' ';
    text += sentence(gap);
    if (text.back() != '.') text += '.';
  }
  return text;
}

std::string save(const std::filesystem::path& file, const CapturedPackets& packets, const std::string& path,
                 const std::stop_token& stop) {
  const ConnectionSummary& flow = packets.analysis.flow;
  const ConnectionInFile connection{file, EndPair(flow.initiator, flow.responder)};
  const auto saved = saveMarked(connection, packets, path, [&](std::uint64_t) { return !stop.stop_requested(); });
  if (!saved) return sentence(saved.error());
  return fmt::format("{} saved in {}, {} with comments.", countOfPackets(saved->packets),
                     forPlainText(UntrustedText(path)), saved->comments);
}

}  // namespace

OpenedFile::~OpenedFile() {
  close();
}

bool OpenedFile::open(const std::string& path) {
  m_refusal.clear();
  m_saved.clear();
  // What is saved meanwhile is of the file before.
  m_saving = {};
  const std::filesystem::path file(path);
  const UntrustedText name(file.filename().string());
  if (m_nextPlace < kFirstPlace) m_nextPlace = kFirstPlace;
  if (isRecording(path)) {
    openRecording(file);
  } else {
    openCapture(file, name);
  }
  if (!m_refusal.empty()) return false;
  m_path = file;
  m_name = forPlainText(name);
  return true;
}

void OpenedFile::openCapture(const std::filesystem::path& path, const UntrustedText& name) {
  auto session = CaptureSession::open(path, PlaceId{m_nextPlace++});
  if (!session) {
    m_refusal = refusal(session.error(), name);
    return;
  }
  m_shown.show(**session);
  m_capture = std::move(*session);
  m_recording.reset();
}

void OpenedFile::openRecording(const std::filesystem::path& path) {
  auto session = ReplaySession::open(std::span(&path, 1), {}, PlaceId{m_nextPlace++});
  if (!session) {
    m_refusal = sentence(session.error());
    return;
  }
  m_shown.show(**session);
  m_recording = std::move(*session);
  m_capture.reset();
}

void OpenedFile::stopReading() {
  if (m_capture) m_capture->stopReading();
}

bool OpenedFile::openInNewWindow(const std::string& path) {
  // Not by its name in PATH, which may be another version's.
  return QProcess::startDetached(
      QCoreApplication::applicationFilePath(),
      // What the path history learns, this process notes.
      {QStringLiteral("--no-path-book"), QString::fromStdString(std::filesystem::absolute(path).string())});
}

bool OpenedFile::showInWireshark(const std::string& displayFilter, std::optional<std::uint64_t> frame) {
  return m_capture &&
         startWireshark(QString::fromStdString(m_path.string()), QString::fromStdString(displayFilter), frame);
}

void OpenedFile::findPacket(std::uint64_t frame) {
  if (m_capture) m_capture->findPacket(frame);
}

void OpenedFile::savePackets(ConnectionId connection, const std::string& path) {
  const auto snapshot = m_capture ? m_capture->latest() : nullptr;
  const auto detail = snapshot ? snapshot->details.find(connection) : decltype(snapshot->details.find(connection))();
  if (!snapshot || detail == snapshot->details.end() || !detail->second->packets) {
    m_saved = "The packets of this connection are not read yet: save them once its graphs are shown.";
    return;
  }
  if (!m_background) m_background = std::make_unique<BackgroundQueue>();
  m_saved = "Saving packets…";
  m_saving = postTo(*m_background, [file = m_path, packets = detail->second->packets,
                                    path](const std::stop_token& stop) { return save(file, *packets, path, stop); });
}

void OpenedFile::close() {
  m_refusal.clear();
  m_saved.clear();
  m_saving = {};
  if (!m_capture && !m_recording) return;
  m_shown.showHome();
  m_capture.reset();
  m_recording.reset();
}

std::optional<std::filesystem::path> OpenedFile::shownPath() const {
  return m_capture || m_recording ? std::optional(m_path) : std::nullopt;
}

CaptureState OpenedFile::state() {
  CaptureState state;
  state.name = m_name;
  state.notice = m_refusal;
  if (!m_capture) {
    if (!m_refusal.empty()) state.phase = CapturePhase::failed;
    if (m_recording) {
      state.phase = CapturePhase::open;
      state.note = forPlainText(m_recording->note());
    }
    return state;
  }
  const CaptureReading reading = m_capture->reading();
  state.phase = reading.isRead ? CapturePhase::open : CapturePhase::reading;
  if (m_refusal.empty()) {
    if (reading.isRead) state.notice = gapsText(reading.file);
    if (reading.leftPacketsOut)
      state.notice += " The graphs show the first packets of the connection only, as many as memory allows.";
  }
  if (isThere(m_saving)) m_saved = m_saving.get();
  if (!m_saved.empty()) state.notice += (state.notice.empty() ? "" : " ") + m_saved;
  state.packets = reading.file.packets;
  state.readsPackets = reading.readsPackets;
  if (reading.found) state.found = FoundPacket{reading.found->frame, reading.found->connection};
  if (reading.bytesInAll && *reading.bytesInAll > 0)
    state.readRatio = static_cast<double>(reading.bytesRead) / static_cast<double>(*reading.bytesInAll);
  return state;
}

}  // namespace tcpscope
