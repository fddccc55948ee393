// Builds socket observations for tests in readable form: only what the situation is about is said.
//
//   at(2s).established().acked(Bytes(1'000'000)).rtt(20ms).build()
//
// TCP_INFO is built as the kernel's bytes, so that tests run through the same decoding as live data.
#pragma once

#include <chrono>
#include <cstring>
#include <vector>

#include "core/observation/socket_observation.h"

namespace tcpscope::testing {

using namespace std::chrono_literals;

class ObservationBuilder {
public:
  /// A sending connection on an idle 20 ms path with everything negotiated, as Linux 6.18 reports it.
  ObservationBuilder() : m_info(tcp_info::kKnownSize) {
    m_observation.id = {PlaceId{0}, 1};
    m_observation.local = {IpAddress::v4({192, 0, 2, 1}), 5001};
    m_observation.remote = {IpAddress::v4({198, 51, 100, 7}), 443};
    m_observation.congestionControl = CongestionControlName("cubic");
    state(TcpState::established);
    set(tcp_info::kOptions, std::uint8_t{1 | 2 | 4});
    set(tcp_info::kSndWscale, std::uint8_t{0x77});
    set(tcp_info::kSndMss, std::uint32_t{1448}).set(tcp_info::kRcvMss, std::uint32_t{1448});
    set(tcp_info::kAdvmss, std::uint32_t{1448}).set(tcp_info::kPmtu, std::uint32_t{1500});
    set(tcp_info::kSndCwnd, std::uint32_t{10}).set(tcp_info::kSndSsthresh, std::uint32_t{0x7fffffff});
    set(tcp_info::kReordering, std::uint32_t{3}).set(tcp_info::kRto, std::uint32_t{220'000});
    set(tcp_info::kMaxPacingRate, ~std::uint64_t{0});
    set(tcp_info::kSndWnd, std::uint32_t{1U << 20}).set(tcp_info::kRcvWnd, std::uint32_t{1U << 20});
    rtt(20ms).minRtt(20ms);
  }

  /// Moment of the sample on the test's clock.
  ObservationBuilder& at(Nanoseconds sinceStart) {
    m_observation.takenAt = Moment() + sinceStart;
    return *this;
  }
  ObservationBuilder& cookie(std::uint64_t value) {
    m_observation.id.cookie = value;
    return *this;
  }
  ObservationBuilder& state(TcpState value) {
    m_observation.state = value;
    return set(tcp_info::kState, static_cast<std::uint8_t>(value));
  }
  ObservationBuilder& unchangedUntil(Nanoseconds sinceStart) {
    m_observation.unchangedUntil = Moment() + sinceStart;
    return *this;
  }
  ObservationBuilder& rtt(Microseconds value) { return setCount(tcp_info::kRtt, value); }
  ObservationBuilder& minRtt(Microseconds value) { return setCount(tcp_info::kMinRtt, value); }
  ObservationBuilder& acked(Bytes value) { return set(tcp_info::kBytesAcked, value.value()); }
  ObservationBuilder& received(Bytes value) { return set(tcp_info::kBytesReceived, value.value()); }
  /// The chronographs: busy includes the other two, as in the kernel.
  ObservationBuilder& busy(Microseconds all, Microseconds receiver = 0us, Microseconds sendBuffer = 0us) {
    return setCount(tcp_info::kBusyTime, all)
        .setCount(tcp_info::kRwndLimited, receiver)
        .setCount(tcp_info::kSndbufLimited, sendBuffer);
  }

  /// Any variable, as the kernel's number on the wire.
  template <class Value, class Wire, std::optional<Value> (*kConvert)(Wire), class Raw>
  ObservationBuilder& set(const TcpInfoField<Value, Wire, kConvert>& field, Raw raw) {
    const Wire wire = static_cast<Wire>(raw);
    std::memcpy(m_info.data() + field.offset, &wire, sizeof wire);
    return *this;
  }
  ObservationBuilder& memory(const SocketMemory& value) {
    m_observation.memory = value;
    return *this;
  }
  ObservationBuilder& bufferLocks(BufferLocks value) {
    m_observation.bufferLocks = value;
    return *this;
  }
  /// Everything else of the observation.
  SocketObservation& socket() { return m_observation; }

  /// A kernel that reports only this many bytes of TCP_INFO.
  [[nodiscard]] SocketObservation build(std::size_t infoSize = tcp_info::kKnownSize) const {
    SocketObservation built = m_observation;
    built.info = TcpInfoSample(std::span(m_info).first(infoSize), AccecnLayout::linux618);
    return built;
  }

private:
  template <class Field>
  ObservationBuilder& setCount(const Field& field, Microseconds value) {
    return set(field, value.count());
  }

  SocketObservation m_observation;
  std::vector<std::byte> m_info;
};

inline ObservationBuilder at(Nanoseconds sinceStart) {
  return ObservationBuilder().at(sinceStart);
}

}  // namespace tcpscope::testing
