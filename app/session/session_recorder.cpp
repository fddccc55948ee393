#include "app/session/session_recorder.h"

#include <algorithm>
#include <system_error>

#include "core/base/escape.h"

namespace tcpscope {

namespace {

/// Observations that may wait for the disk: some seconds of a busy host.
constexpr std::size_t kWaiting = 262'144;
constexpr std::chrono::milliseconds kBetweenWrites{250};

/// "slow.tcpscope" for the first place, "slow-db1.tcpscope" for the one on db1.
std::filesystem::path pathOf(const std::filesystem::path& path, const Place& place, bool isFirst) {
  if (isFirst) return path;
  std::filesystem::path other = path;
  other.replace_filename(path.stem().string() + '-' + forFileName(place.host) + '-' + std::to_string(place.id.number) +
                         path.extension().string());
  return other;
}

}  // namespace

Expected<std::shared_ptr<SessionRecorder>, SystemError> SessionRecorder::start(const std::filesystem::path& path,
                                                                               const std::vector<Place>& places,
                                                                               const ClockPair& clock,
                                                                               const RecordingSettings& settings) {
  std::shared_ptr<SessionRecorder> recorder(new SessionRecorder(settings.now));
  for (const Place& place : places) {
    const bool isFirst = recorder->m_files.empty();
    if (auto added = recorder->add(pathOf(path, place, isFirst), place, clock, settings); !added) {
      return Unexpected<SystemError>(added.error());
    }
  }
  try {
    recorder->m_thread = std::jthread([raw = recorder.get()](const std::stop_token& stop) { raw->run(stop); });
  } catch (const std::system_error& error) {
    return Unexpected<SystemError>({SystemAttempt::startThread, error.code().value(), {}});
  }
  return recorder;
}

SessionRecorder::SessionRecorder(const std::function<Moment()>& now) : m_now(now), m_queue(kWaiting) {
  m_state.began = now();
}

SessionRecorder::~SessionRecorder() {
  requestStop();
}

Expected<void, SystemError> SessionRecorder::add(const std::filesystem::path& path, const Place& place,
                                                 const ClockPair& clock, const RecordingSettings& settings) {
  auto output = RecordingOutput::create(path, settings);
  if (!output) return Unexpected<SystemError>(output.error());
  File file{path, std::move(*output), nullptr};
  file.writer = std::make_unique<TraceWriter>(file.output->buffer());
  TraceHello hello;
  hello.place = place;
  hello.clock = clock;
  hello.program = UntrustedText("tcpscope");
  file.writer->write(hello);
  if (place.settings) file.writer->write(hostFacts(*place.settings));
  // The file has its name from now on, or cannot have it.
  if (!file.output->flush()) {
    return Unexpected<SystemError>(
        {SystemAttempt::writeRecording, file.output->errorNumber(), UntrustedText(path.string())});
  }
  m_files.emplace(place.id, std::move(file));
  return {};
}

std::vector<PlaceId> SessionRecorder::places() const {
  std::vector<PlaceId> places;
  for (const auto& [place, file] : m_files) places.push_back(place);
  return places;
}

std::map<PlaceId, std::filesystem::path> SessionRecorder::paths() const {
  std::map<PlaceId, std::filesystem::path> paths;
  for (const auto& [place, file] : m_files) paths.emplace(place, file.path);
  return paths;
}

void SessionRecorder::take(ObservationBatch&& batch) {
  if (m_files.contains(batch.place)) m_queue.push(std::move(batch));
}

void SessionRecorder::requestStop() {
  m_thread.request_stop();
  m_queue.wake();
}

SessionRecorderState SessionRecorder::finish() {
  requestStop();
  if (m_thread.joinable()) m_thread.join();
  return state();
}

SessionRecorderState SessionRecorder::state() const {
  const std::lock_guard lock(m_mutex);
  return m_state;
}

void SessionRecorder::run(const std::stop_token& stop) {
  bool isSound = true;
  while (isSound) {
    const bool isLast = stop.stop_requested();
    // A single batch is not urgent: those that gather are written together.
    write(m_queue.takeAll(std::chrono::steady_clock::now() + (isLast ? std::chrono::milliseconds(0) : kBetweenWrites),
                          kWaiting));
    reportRefused();
    for (auto& [place, file] : m_files) isSound = (isLast ? file.output->finish() : file.output->flush()) && isSound;
    publish();
    if (isLast) break;
  }
  end();
}

void SessionRecorder::write(const std::vector<ObservationBatch>& batches) {
  for (const ObservationBatch& batch : batches) {
    TraceWriter& writer = *m_files.at(batch.place).writer;
    writeSettings(writer, batch);
    writer.write(batch);
  }
}

void SessionRecorder::writeSettings(TraceWriter& writer, const ObservationBatch& batch) {
  if (batch.settings) writer.write(hostFacts(*batch.settings));
}

void SessionRecorder::reportRefused() {
  const std::uint64_t refused = m_queue.refused();
  if (refused == m_refusedReported) return;
  ObservationBatch batch;
  batch.place = m_files.begin()->first;
  batch.gaps.push_back({batch.place, GapKind::queueFull, refused - m_refusedReported});
  m_refusedReported = refused;
  m_files.begin()->second.writer->write(batch);
}

void SessionRecorder::publish() {
  const std::lock_guard lock(m_mutex);
  m_state.bytes = 0;
  for (const auto& [place, file] : m_files) {
    m_state.bytes += file.output->bytesInAll();
    const int number = file.output->errorNumber();
    if (number != 0 && !m_state.error) {
      m_state.error = SystemError{SystemAttempt::writeRecording, number, UntrustedText(file.path.string())};
    }
  }
}

/// Where one file failed the others end, too: what was recorded goes together.
void SessionRecorder::end() {
  m_queue.close();
  for (auto& [place, file] : m_files) file.output->finish();
  publish();
  const std::lock_guard lock(m_mutex);
  m_state.ended = m_now();
}

}  // namespace tcpscope
