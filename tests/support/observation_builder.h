// Builds what the kernel would report of a socket, field by field, for tests that describe a situation.
//
// Starts from an established bulk sender on a modern kernel: cubic, 1448-byte segments, 20 ms RTT, all options,
// windows wide open, all counters zero, 1 s after the clock's zero. Each call states one thing that is different.
#pragma once

#include <array>
#include <chrono>
#include <cstring>
#include <string_view>

#include "core/model/socket_observation.h"

namespace tcpscope::test {

class ObservationBuilder {
public:
  ObservationBuilder() {
    m_socket.id = {PlaceId{0}, 1};
    m_socket.state = TcpState::established;
    m_socket.local = {IpAddress::v4({192, 0, 2, 1}), 50000};
    m_socket.remote = {IpAddress::v4({198, 51, 100, 2}), 443};
    m_socket.congestionControl = CongestionControlName("cubic");
    m_socket.takenAt = Moment::fromNanoseconds(1'000'000'000);
    // Fields with a value of "not set" that is not zero.
    set(tcp_info::kMaxPacingRate, ~std::uint64_t{0});
    set(tcp_info::kSndSsthresh, 0x7fffffffU);
    set(tcp_info::kState, std::uint8_t{1});
    options(0x7);
    windowScales(7, 7);
    mss(1448);
    rtt(std::chrono::milliseconds(20), std::chrono::milliseconds(20));
    congestionWindow(100);
    peerWindow(4U << 20);
    ownWindow(4U << 20);
    set(tcp_info::kReordering, 3U);
  }

  /// Any field of struct tcp_info by its raw number on the wire.
  template <class Value, class Wire, std::optional<Value> (*kConvert)(Wire)>
  ObservationBuilder& set(TcpInfoField<Value, Wire, kConvert> field, Wire raw) {
    std::memcpy(m_bytes.data() + field.offset, &raw, sizeof raw);
    return *this;
  }

  ObservationBuilder& at(std::chrono::nanoseconds sinceStart) {
    m_socket.takenAt = Moment::fromNanoseconds(1'000'000'000) + sinceStart;
    return *this;
  }
  ObservationBuilder& cookie(std::uint64_t value) { return m_socket.id.cookie = value, *this; }
  ObservationBuilder& state(TcpState value) {
    m_socket.state = value;
    return set(tcp_info::kState, static_cast<std::uint8_t>(value));
  }
  ObservationBuilder& local(std::string_view address, std::uint16_t port) {
    m_socket.local = {IpAddress::parse(address).value(), port};
    return *this;
  }
  ObservationBuilder& remote(std::string_view address, std::uint16_t port) {
    m_socket.remote = {IpAddress::parse(address).value(), port};
    return *this;
  }
  ObservationBuilder& congestionControl(std::string_view name) {
    m_socket.congestionControl = CongestionControlName(name);
    return *this;
  }
  /// Kernels of other ages report less: the record ends after `bytes`.
  ObservationBuilder& reportedBytes(std::size_t bytes) { return m_reported = bytes, *this; }

  /// What was read from text may lack single fields.
  template <class Field>
  ObservationBuilder& without(const Field& field) {
    return m_holes.dig(field.offset), *this;
  }

  // Sending
  ObservationBuilder& mss(std::uint32_t bytes) { return set(tcp_info::kSndMss, bytes); }
  ObservationBuilder& congestionWindow(std::uint32_t segments) { return set(tcp_info::kSndCwnd, segments); }
  ObservationBuilder& inFlight(std::uint32_t segments) { return set(tcp_info::kUnacked, segments); }
  ObservationBuilder& notSent(std::uint32_t bytes) { return set(tcp_info::kNotsentBytes, bytes); }
  ObservationBuilder& applicationLimited(bool limited) {
    return set(tcp_info::kDeliveryRateAppLimited, static_cast<std::uint8_t>(limited ? 1 : 0));
  }
  ObservationBuilder& acked(std::uint64_t bytes) { return set(tcp_info::kBytesAcked, bytes); }
  ObservationBuilder& dataSegmentsOut(std::uint32_t segments) { return set(tcp_info::kDataSegsOut, segments); }
  ObservationBuilder& dataSegmentsIn(std::uint32_t segments) { return set(tcp_info::kDataSegsIn, segments); }
  ObservationBuilder& retransmitted(std::uint32_t segments) { return set(tcp_info::kTotalRetrans, segments); }
  ObservationBuilder& duplicatesReported(std::uint32_t segments) { return set(tcp_info::kDsackDups, segments); }
  ObservationBuilder& reorderingEvents(std::uint32_t count) { return set(tcp_info::kReordSeen, count); }
  ObservationBuilder& delivered(std::uint32_t segments, std::uint32_t marked = 0) {
    return set(tcp_info::kDelivered, segments).set(tcp_info::kDeliveredCe, marked);
  }
  ObservationBuilder& caState(CaState state) { return set(tcp_info::kCaState, static_cast<std::uint8_t>(state)); }
  ObservationBuilder& timeouts(std::uint16_t count, std::chrono::milliseconds spent) {
    return set(tcp_info::kTotalRto, count).set(tcp_info::kTotalRtoTime, static_cast<std::uint32_t>(spent.count()));
  }
  /// The chronographs; busy includes the other two, as in the kernel.
  ObservationBuilder& chronographs(std::chrono::milliseconds busy, std::chrono::milliseconds receiverLimited = {},
                                   std::chrono::milliseconds sendBufferLimited = {}) {
    const auto microseconds = [](std::chrono::milliseconds span) {
      return static_cast<std::uint64_t>(std::chrono::microseconds(span).count());
    };
    return set(tcp_info::kBusyTime, microseconds(busy))
        .set(tcp_info::kRwndLimited, microseconds(receiverLimited))
        .set(tcp_info::kSndbufLimited, microseconds(sendBufferLimited));
  }
  ObservationBuilder& rtt(std::chrono::microseconds smoothed, std::chrono::microseconds shortest) {
    return set(tcp_info::kRtt, static_cast<std::uint32_t>(smoothed.count()))
        .set(tcp_info::kMinRtt, static_cast<std::uint32_t>(shortest.count()));
  }
  ObservationBuilder& maxPacingRate(BitsPerSecond rate) {
    return set(tcp_info::kMaxPacingRate, static_cast<std::uint64_t>(rate.value() / 8.0));
  }
  ObservationBuilder& deliveryRate(BitsPerSecond rate) {
    return set(tcp_info::kDeliveryRate, static_cast<std::uint64_t>(rate.value() / 8.0));
  }
  ObservationBuilder& peerWindow(std::uint32_t bytes) { return set(tcp_info::kSndWnd, bytes); }

  /// Retransmissions without an acknowledgment: so many, with the timeout doubled so often; the next follows in `next`.
  ObservationBuilder& unanswered(std::uint8_t timeouts, std::chrono::milliseconds timeout, std::uint8_t doublings,
                                 std::chrono::milliseconds next) {
    m_socket.timer = SocketTimer{TimerKind::retransmission, Count(timeouts), next};
    return set(tcp_info::kRetransmits, timeouts)
        .set(tcp_info::kBackoff, doublings)
        .set(tcp_info::kRto, static_cast<std::uint32_t>(std::chrono::microseconds(timeout).count()));
  }
  ObservationBuilder& timer(TimerKind kind, std::uint64_t attempts, std::chrono::milliseconds expiresIn) {
    m_socket.timer = SocketTimer{kind, Count(attempts), expiresIn};
    return *this;
  }
  /// Since data was last sent, and since it last arrived.
  ObservationBuilder& dataAges(std::chrono::milliseconds sent, std::chrono::milliseconds arrived) {
    return set(tcp_info::kLastDataSent, static_cast<std::uint32_t>(sent.count()))
        .set(tcp_info::kLastDataRecv, static_cast<std::uint32_t>(arrived.count()));
  }
  ObservationBuilder& lastAck(std::chrono::milliseconds ago) {
    return set(tcp_info::kLastAckRecv, static_cast<std::uint32_t>(ago.count()));
  }
  ObservationBuilder& lastSend(std::chrono::milliseconds ago) {
    return set(tcp_info::kLastDataSent, static_cast<std::uint32_t>(ago.count()));
  }
  ObservationBuilder& inode(std::uint32_t number) { return m_socket.inode = number, *this; }
  ObservationBuilder& nagle(bool noDelay, bool cork) {
    m_socket.nagle = NagleOptions{noDelay, cork};
    return *this;
  }

  // Receiving
  ObservationBuilder& ownWindow(std::uint32_t bytes) { return set(tcp_info::kRcvWnd, bytes); }
  ObservationBuilder& received(std::uint64_t bytes) { return set(tcp_info::kBytesReceived, bytes); }

  // Both
  ObservationBuilder& options(std::uint8_t bits) { return set(tcp_info::kOptions, bits); }
  /// The shift the peer gave and the one this end gave.
  ObservationBuilder& windowScales(unsigned peers, unsigned own) {
    const auto both = static_cast<std::uint8_t>(peers | own << 4U);
    std::memcpy(m_bytes.data() + tcp_info::kSndWscale.offset, &both, sizeof both);
    return *this;
  }
  /// Unread and unacknowledged bytes. On a listener: accept queue and backlog.
  ObservationBuilder& queues(std::uint64_t receiveQueue, std::uint64_t sendQueue) {
    m_socket.receiveQueue = Bytes(receiveQueue);
    m_socket.sendQueue = Bytes(sendQueue);
    return *this;
  }
  ObservationBuilder& sendMemory(std::uint64_t queued, std::uint64_t buffer) {
    if (!m_socket.memory) m_socket.memory.emplace();
    m_socket.memory->sendQueued = Bytes(queued);
    m_socket.memory->sendBuffer = Bytes(buffer);
    return *this;
  }
  ObservationBuilder& receiveMemory(std::uint64_t allocated, std::uint64_t buffer) {
    if (!m_socket.memory) m_socket.memory.emplace();
    m_socket.memory->receiveAllocated = Bytes(allocated);
    m_socket.memory->receiveBuffer = Bytes(buffer);
    return *this;
  }
  ObservationBuilder& programWaits(const ProgramWaits& waits) {
    m_socket.programWaits = waits;
    return *this;
  }
  ObservationBuilder& locks(bool sendBuffer, bool receiveBuffer) {
    m_socket.bufferLocks = BufferLocks{sendBuffer, receiveBuffer};
    return *this;
  }

  [[nodiscard]] SocketObservation build() const {
    SocketObservation socket = m_socket;
    socket.info =
        TcpInfoSample(std::span<const std::byte>(m_bytes.data(), m_reported), AccecnLayout::linux618, m_holes);
    return socket;
  }

private:
  SocketObservation m_socket;
  std::array<std::byte, tcp_info::kKnownSize> m_bytes{};
  std::size_t m_reported = tcp_info::kKnownSize;
  TcpInfoHoles m_holes;
};

}  // namespace tcpscope::test
