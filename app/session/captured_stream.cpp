#include "app/session/captured_stream.h"

#include <cerrno>

#include "collectors/pcap/capture_writer.h"
#include "collectors/system/new_file.h"
#include "core/session/capture/captured_packets.h"

namespace tcpscope {

namespace {

Endpoint onTheWire(Endpoint endpoint) {
  endpoint.address = endpoint.address.unmapped();
  return endpoint;
}

std::optional<std::uint8_t> asScale(const std::optional<Count>& count) {
  return count ? std::optional(static_cast<std::uint8_t>(count->value())) : std::nullopt;
}

bool hasShakenHands(TcpState state) {
  return state != TcpState::unknown && state != TcpState::synSent && state != TcpState::synReceived;
}

}  // namespace

CaptureOrder captureOrderOf(const CaptureRequest& request, const SocketObservation& socket) {
  CaptureOrder order{request, onTheWire(socket.local), onTheWire(socket.remote), {}, {}};
  if (!hasShakenHands(socket.state)) return order;
  order.localScale = asScale(socket.info.rcvWscale());
  order.remoteScale = asScale(socket.info.sndWscale());
  return order;
}

CapturedStream::CapturedStream(const CaptureOrder& order, Bytes ring, const std::optional<OtherClock>& other)
    : m_order(order),
      m_ends(order.local, order.remote),
      m_clock(other && other->pair ? ClockReading{*other->pair, {}} : readClocks()),
      m_isOwnClock(!other),
      m_ring(ring),
      m_analysis(1),
      m_series(m_clock.pair) {
  state.number = order.request.number;
  state.connection = order.request.connection;
  if (m_isOwnClock) state.clockError = m_clock.error;
}

void CapturedStream::supplyScales(CaptureConnection& connection) const {
  const FlowSide local = connection.endpoint(0) == m_order.local ? 0 : 1;
  if (m_order.localScale) connection.supplyWindowScale(local, *m_order.localScale);
  if (m_order.remoteScale) connection.supplyWindowScale(static_cast<FlowSide>(1 - local), *m_order.remoteScale);
}

void CapturedStream::take(const CapturedFrame& frame) {
  m_hasNews = true;
  m_ring.push(frame);
  const std::uint64_t number = state.packets++;
  if (m_decoder.decode(m_sample, frame) || !m_ends.hold(m_sample)) return;
  m_sample.number = number;
  const FlowPacket taken = m_analysis.take(m_sample);
  // None where the same ports serve another connection by now.
  if (taken.connection == nullptr) return;
  if (state.connectionPackets++ == 0) supplyScales(*taken.connection);
  m_series.take(m_sample, taken);
}

void CapturedStream::setCounts(const std::optional<LiveCaptureCounts>& counts) {
  m_counts = counts;
  if (!counts) return;
  const std::uint64_t dropped = counts->droppedByRing.value() + counts->droppedByInterface.value();
  if (state.dropped != dropped) m_hasNews = true;
  state.dropped = dropped;
  if (dropped > 0) m_analysis.noteDrops();
}

void CapturedStream::letOldestGo() {
  if (m_ring.discarded() == m_discardedOfSeries) return;
  m_discardedOfSeries = m_ring.discarded();
  m_series = m_series.since(m_clock.pair.monotonic + (m_ring.oldest() - m_clock.pair.wall));
}

std::shared_ptr<const CapturedPackets> CapturedStream::packets() {
  if (m_analysis.connectionCount() == 0) return nullptr;
  const CaptureConnection& connection = *m_analysis.flows().connections()[0];
  auto packets = std::make_shared<CapturedPackets>();
  packets->live = state.number;
  packets->initiator = connection.initiator();
  packets->analysis = m_analysis.connection(0);
  packets->series = m_series.since(m_series.firstTime());
  packets->series.finish(connection);
  return packets;
}

CaptureObservation CapturedStream::observe() {
  // Both clocks are steered alike, so that only a step of the wall's takes them apart.
  constexpr Nanoseconds kStep = std::chrono::milliseconds(1);
  m_hasNews = false;
  letOldestGo();
  state.discarded = m_ring.discarded();
  if (m_isOwnClock) {
    const ClockPair now = readClocks().pair;
    const Nanoseconds apart = now.wall - m_clock.pair.wallAt(now.monotonic);
    state.clockStep = std::chrono::abs(apart) < kStep ? Nanoseconds(0) : apart;
  }
  return {state, packets()};
}

void CapturedStream::save(const std::string& file, std::uint32_t number, Bytes snapLength) {
  m_hasNews = true;
  state.saved = SavedCapture{number, UntrustedText(file), m_ring.size(), std::nullopt};
  auto output = NewFile::create(file);
  const auto fail = [&](int error) {
    state.saved->error = SystemError{SystemAttempt::writeRecording, error, UntrustedText(file)};
  };
  if (!output) return fail(output.error());
  std::optional<CaptureWriter> writer;
  m_ring.forEach([&](const CapturedFrame& frame) {
    if (!writer) writer.emplace(output->descriptor(), frame.linkType, state.interface, snapLength);
    writer->write(frame.time.value_or(WallTime()), frame.bytes, frame.wireBytes);
  });
  if (!writer) writer.emplace(output->descriptor(), LinkType::ethernet, state.interface, snapLength);
  // Without figures there is no block of them: a zero would say that nothing was dropped.
  if (m_counts && state.dropped) {
    writer->addCounts(readClocks().pair.wall, m_counts->received, Count(*state.dropped));
  }
  writer->flush();
  if (writer->lost() > Count(0)) return fail(ENOSPC);
  if (const auto taken = output->takeName(); !taken) fail(taken.error());
}

}  // namespace tcpscope
