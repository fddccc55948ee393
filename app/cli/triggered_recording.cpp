#include "app/cli/triggered_recording.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <utility>

#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"

namespace tcpscope {

namespace {

/// A condition that comes and goes all night must not fill the disk.
constexpr std::uint32_t kMostRecordings = 100;

void removeRecording(const std::filesystem::path& path) {
  std::error_code error;
  for (const std::filesystem::path& piece : piecesBeside(path)) std::filesystem::remove(piece, error);
  std::filesystem::remove(path, error);
}

}  // namespace

Expected<std::unique_ptr<TriggeredRecording>, SystemError> TriggeredRecording::start(std::filesystem::path path,
                                                                                     PolledSession& session,
                                                                                     Nanoseconds before,
                                                                                     Nanoseconds after) {
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    return Unexpected<SystemError>({SystemAttempt::writeRecording, EEXIST, UntrustedText(path.string())});
  }
  // A limit of the shell's on the size of files then fails the write, as any full medium does.
  std::signal(SIGXFSZ, SIG_IGN);
  std::unique_ptr<TriggeredRecording> recording(new TriggeredRecording(std::move(path), session, before, after));
  if (auto begun = recording->beginRing(); !begun) return Unexpected<SystemError>(begun.error());
  return recording;
}

TriggeredRecording::TriggeredRecording(std::filesystem::path path, PolledSession& session, Nanoseconds before,
                                       Nanoseconds after)
    : m_path(std::move(path)), m_session(session), m_before(before), m_after(after) {}

TriggeredRecording::~TriggeredRecording() {
  // A failure here is of a file that the command was about to leave anyway.
  if (m_recorder) static_cast<void>(endRing());
}

std::filesystem::path TriggeredRecording::pathOfRing() const {
  if (m_number == 1) return m_path;
  std::filesystem::path path = m_path;
  path.replace_filename(fmt::format("{}-{}{}", m_path.stem().string(), m_number, m_path.extension().string()));
  return path;
}

Expected<void, SystemError> TriggeredRecording::beginRing() {
  if (m_rings == kMostRecordings) {
    fmt::print(stderr, "tcpscope-cli: {} recordings are made; later events are not recorded\n", m_rings);
    return {};
  }
  ++m_rings;
  // One of another night keeps its name.
  std::error_code error;
  do {
    ++m_number;
  } while (std::filesystem::exists(pathOfRing(), error));
  RecordingSettings settings{monotonicNow};
  // What was before the event must not go while what follows it is recorded.
  settings.limits = RecordingLimits::keeping(m_before + m_after);
  auto recorder = SessionRecorder::start(pathOfRing(), m_session.tick()->places, clockPairNow(), settings);
  if (!recorder) return Unexpected<SystemError>(recorder.error());
  m_recorder = std::move(*recorder);
  m_session.recordInto(m_recorder);
  return {};
}

Expected<void, SystemError> TriggeredRecording::endRing() {
  m_session.recordInto(nullptr);
  const SessionRecorderState state = m_recorder->finish();
  m_recorder.reset();
  if (state.error) return Unexpected<SystemError>(*state.error);
  if (std::exchange(m_endsAt, std::nullopt)) {
    fmt::print(stderr, "tcpscope-cli: {}: recorded, up to {:.0f} s before the event and what followed\n",
               forTerminal(pathOfRing().string()), toSeconds(m_before));
  } else {
    removeRecording(pathOfRing());
  }
  return {};
}

std::optional<std::string> TriggeredRecording::noteEvent(Moment now) {
  if (!m_recorder) return std::nullopt;
  if (!m_endsAt) m_endsAt = now + m_after;
  return pathOfRing().string();
}

Expected<void, SystemError> TriggeredRecording::update(Moment now) {
  if (m_recorder && m_recorder->state().error) return Unexpected<SystemError>(*m_recorder->state().error);
  if (!m_endsAt || now < *m_endsAt) return {};
  if (auto ended = endRing(); !ended) return ended;
  return beginRing();
}

}  // namespace tcpscope
