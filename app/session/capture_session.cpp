#include "app/session/capture_session.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/session/capture_memory.h"
#include "app/session/connection_packets.h"
#include "core/session/capture_detail.h"

namespace tcpscope {

namespace {

constexpr std::size_t kDetailsKept = 4;
/// Of the memory for a capture, what the places of its packets may take beside it: 512 MB for 100 million packets.
constexpr std::size_t kShareOfPlaces = 4;
/// Between two looks at what is wanted: some tenths of a millisecond.
constexpr std::uint64_t kReadBetweenPolls = 4096;
/// Rows are rebuilt at most this often while the file is read, and never for more than a tenth of the time.
constexpr std::chrono::milliseconds kPublishEvery{250};
constexpr int kPublishShare = 10;
/// Nothing changes any more, but a view may wait for the snapshot after the next.
constexpr std::chrono::milliseconds kRepeatEvery{500};

using Clock = std::chrono::steady_clock;

}  // namespace

Expected<std::unique_ptr<CaptureSession>, CaptureFault> CaptureSession::open(const std::filesystem::path& path,
                                                                             PlaceId place,
                                                                             const SessionControl& control) {
  auto source = openFile(path);
  if (!source) return Unexpected<CaptureFault>(source.error());
  auto reader = CaptureReader::open(std::move(*source));
  if (!reader) return Unexpected<CaptureFault>(reader.error());
  std::unique_ptr<CaptureSession> session(new CaptureSession(path, place, std::move(*reader), control));
  CaptureSession& running = *session;
  session->m_thread = std::jthread([&running](const std::stop_token& stop) { running.run(stop); });
  return session;
}

CaptureSession::CaptureSession(std::filesystem::path path, PlaceId place, std::unique_ptr<CaptureReader> reader,
                               const SessionControl& control)
    : m_path(std::move(path)),
      m_place(place),
      m_reader(std::move(reader)),
      m_newControl(control),
      m_places(captureMemory() / kShareOfPlaces) {
  m_analysis.limitBytes(captureMemory());
}

CaptureSession::~CaptureSession() = default;

void CaptureSession::setControl(const SessionControl& control) {
  {
    const std::lock_guard lock(m_mutex);
    m_newControl = control;
    m_newFocus = control.focus;
  }
  m_wanted.notify_all();
}

CaptureReading CaptureSession::reading() const {
  const std::lock_guard lock(m_mutex);
  return m_reading;
}

void CaptureSession::stopReading() {
  const std::lock_guard lock(m_mutex);
  m_isStopWanted = true;
}

void CaptureSession::findPacket(std::uint64_t frame) {
  {
    const std::lock_guard lock(m_mutex);
    m_reading.found.reset();
    m_wantedFrame = frame;
  }
  m_wanted.notify_all();
}

void CaptureSession::answerPacketQuestion(const std::stop_token& stop) {
  std::optional<std::uint64_t> frame;
  {
    const std::lock_guard lock(m_mutex);
    frame = std::exchange(m_wantedFrame, std::nullopt);
  }
  if (!frame) return;
  const auto connection = *frame == 0 ? std::nullopt : connectionOf(*frame - 1, stop);
  const std::lock_guard lock(m_mutex);
  if (m_wantedFrame) return;
  if (m_newControl && !connection) {
    // The look-up gave way to the control, or may have: again after it.
    m_wantedFrame = frame;
    return;
  }
  m_reading.found = CaptureReading::Found{*frame, connection};
}

std::optional<ConnectionId> CaptureSession::connectionOf(std::uint64_t number, const std::stop_token& stop) const {
  if (number >= m_file.packets) return std::nullopt;
  if (!m_places.areKnown()) {
    const auto index =
        findConnectionOf(m_path, m_analysis, number, [&] { return !stop.stop_requested() && !hasNewer(); });
    return index ? std::optional(captureConnectionId(m_place, *index)) : std::nullopt;
  }
  for (std::size_t index = 0; index < m_rows && !stop.stop_requested(); ++index) {
    PacketPlaces::Walk places = m_places.of(static_cast<std::uint32_t>(index));
    for (PacketPlace place; places.next(place) && place.number <= number;) {
      if (place.number == number) return captureConnectionId(m_place, index);
    }
  }
  return std::nullopt;
}

bool CaptureSession::hasNewer() const {
  const std::lock_guard lock(m_mutex);
  return m_newControl || m_wantedFrame;
}

void CaptureSession::takeControl() {
  std::optional<SessionControl> control;
  {
    const std::lock_guard lock(m_mutex);
    control.swap(m_newControl);
  }
  if (!control) return;
  m_control = std::move(*control);
  m_list.setControl(m_control);
}

bool CaptureSession::noteProgress() {
  m_file.packets = m_reader->counts().frames;
  m_file.reassembledFragments = m_decoder.reassembledFragments();
  m_file.backwardSteps = m_reader->counts().backwardSteps;
  m_file.droppedByStatistics = m_reader->drops().byStatistics.value_or(0);
  m_file.refusedSegments = m_analysis.refusedPackets();
  m_file.segmentsBeyondMemory = m_analysis.packetsBeyondMemory();
  if (m_file.droppedByStatistics > 0) m_analysis.noteDrops();
  const std::lock_guard lock(m_mutex);
  m_reading.bytesRead = m_reader->sourceBytesRead();
  m_reading.bytesInAll = m_reader->sourceSize();
  m_reading.file = m_file;
  return !m_isStopWanted;
}

void CaptureSession::run(const std::stop_token& stop) {
  takeControl();
  readAll(stop);
  while (!stop.stop_requested()) {
    takeControl();
    answerPacketQuestion(stop);
    publish();
    if (m_control.focus && isKnown(*m_control.focus) && m_control.focus->place == m_place) {
      const ConnectionId wanted = *m_control.focus;
      const auto has = [wanted](const auto& entry) { return entry.first == wanted; };
      if (std::none_of(m_details.begin(), m_details.end(), has)) {
        readPackets(wanted, stop);
        continue;
      }
    }
    std::unique_lock lock(m_mutex);
    m_wanted.wait_for(lock, stop, kRepeatEvery, [this] { return m_newControl || m_wantedFrame; });
  }
}

void CaptureSession::readAll(const std::stop_token& stop) {
  m_analysis.correctOrder();
  m_analysis.keepLogs();
  m_file.name = UntrustedText(m_path.filename().string());
  m_file.format = m_reader->format();
  PacketSample sample;
  std::uint64_t taken = 0;
  Clock::time_point due = Clock::now() + kPublishEvery;
  while (const CaptureItem item = m_reader->next()) {
    if (item.fault != nullptr) {
      m_file.add(*item.fault);
      continue;
    }
    if (const auto reason = m_decoder.decode(sample, *item.frame)) {
      m_file.addWithout(*reason, static_cast<std::uint16_t>(item.frame->linkType));
    } else {
      const FlowPacket packet = m_analysis.take(sample);
      if (packet.index != FlowPacket::kNowhere) m_places.add(packet.index, item.frame->place());
      ++m_file.segments;
      m_end = std::max(m_end, captureMoment(sample.time));
    }
    if (++taken % kReadBetweenPolls != 0) continue;
    if (stop.stop_requested()) return;
    if (!noteProgress()) {
      m_file.stoppedAt = m_reader->sourceBytesRead();
      break;
    }
    const Clock::time_point now = Clock::now();
    if (now < due) continue;
    takeControl();
    refreshRows();
    publish();
    due = Clock::now() + std::max<Clock::duration>(kPublishEvery, (Clock::now() - now) * kPublishShare);
  }
  m_analysis.finish();
  noteProgress();
  refreshRows();
  // A segment that fragments carried has no frame of its own; what memory had no room for may be in the file yet.
  if (m_decoder.reassembledFragments() > 0 || m_analysis.isFull()) m_places.giveUp();
  const std::lock_guard lock(m_mutex);
  m_reading.isRead = true;
}

void CaptureSession::refreshRows() {
  m_rows = m_analysis.connectionCount();
  for (std::size_t index = 0; index < m_rows; ++index)
    m_list.set(static_cast<std::uint32_t>(index),
               rowOf(m_analysis.connection(index, WithHistory::no), captureConnectionId(m_place, index)));
}

bool CaptureSession::isKnown(ConnectionId id) const {
  return id.cookie > 0 && captureIndexOf(id) < m_rows;
}

bool CaptureSession::isWanted(ConnectionId id) const {
  const std::lock_guard lock(m_mutex);
  return !m_newControl || m_newFocus == id;
}

ConnectionPackets CaptureSession::readAgain(std::size_t connection, const std::function<bool(std::uint64_t)>& goOn) {
  const bool hasDrops = m_file.droppedByStatistics > 0;
  if (m_places.areKnown()) {
    const PacketPlaces::Walk places = m_places.of(static_cast<std::uint32_t>(connection));
    const CapturedEnds ends = m_analysis.ends(connection);
    const EndPair pair(ends.initiator, ends.responder);
    if (auto read = readConnectionAt(*m_reader, places, pair, hasDrops, goOn)) return std::move(*read);
  }
  return readConnection(ConnectionInFile::of(m_path, m_analysis, connection), hasDrops, goOn);
}

void CaptureSession::readPackets(ConnectionId id, const std::stop_token& stop) {
  const std::size_t index = captureIndexOf(id);
  // A first pass that was stopped stops the second at the same place.
  const auto goOn = [&, packets = m_file.packets](std::uint64_t taken) {
    return taken < packets && !stop.stop_requested() && isWanted(id);
  };
  const auto note = [this](bool reads, bool leftOut) {
    const std::lock_guard lock(m_mutex);
    m_reading.readsPackets = reads;
    m_reading.leftPacketsOut = leftOut;
  };
  note(true, false);
  ConnectionPackets read = readAgain(index, goOn);
  note(false, read.leftPacketsOut);
  if (stop.stop_requested() || !isWanted(id)) return;
  if (!read.captured) {
    read.captured = std::make_shared<CapturedPackets>();
    read.captured->analysis = m_analysis.connection(index);
  }
  if (m_details.size() >= kDetailsKept) m_details.erase(m_details.begin());
  m_details.emplace_back(id, detailOf(std::move(read.captured), id));
}

void CaptureSession::publish() {
  auto snapshot = std::make_shared<SessionSnapshot>();
  snapshot->number = ++m_published;
  snapshot->time = m_end;
  snapshot->clock = kCaptureClock;
  Place place;
  place.id = m_place;
  place.recording = UntrustedText(m_path.filename().string());
  place.isCapture = true;
  snapshot->places.push_back(std::move(place));
  snapshot->owners = std::make_shared<std::vector<std::shared_ptr<const Owner>>>();
  m_list.publish(*snapshot);
  for (const auto& [id, detail] : m_details) snapshot->details.emplace(id, detail);
  m_slot.store(std::move(snapshot));
}

}  // namespace tcpscope
