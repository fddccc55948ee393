// A stream with one value of every kind, for tests of what must survive the way through bytes.
#pragma once

#include <limits>

#include "collectors/trace/trace_writer.h"
#include "tests/support/observation_builder.h"

namespace tcpscope::test {

inline TraceHello exampleHello() {
  TraceHello hello;
  hello.place.host = UntrustedText("sender");
  hello.place.bootId = "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0";
  hello.place.networkNamespace = "4026531840";
  hello.place.kernel = UntrustedText("6.18.4-generic");
  hello.clock = {Moment::fromNanoseconds(1'000'000'000), WallTime::fromNanoseconds(1'700'000'000'000'000'000)};
  hello.capabilities =
      static_cast<std::uint32_t>(AgentCapability::list) | static_cast<std::uint32_t>(AgentCapability::focus);
  hello.program = UntrustedText("tcpscope test");
  return hello;
}

/// A socket with everything that can be known of one.
inline SocketObservation fullSocket(std::uint64_t cookie) {
  ObservationBuilder builder;
  builder.cookie(cookie).acked(123'456'789).sendMemory(70'000, 425'984).receiveMemory(1'000, 131'072).queues(17, 4711);
  builder.set(tcp_info::kLastDataSent, 120U).set(tcp_info::kLastDataRecv, 3'600'000U).set(tcp_info::kLastAckRecv, 4U);
  builder.locks(true, false);
  SocketObservation socket = builder.at(std::chrono::seconds(5)).build();
  socket.userId = 1000;
  socket.inode = 4'000'000'000U;
  socket.interfaceIndex = 3;
  socket.cgroupId = std::numeric_limits<std::uint64_t>::max();
  socket.memory->drops = Count(2);
  socket.nagle = NagleOptions{true, false};
  socket.userTimeout = std::chrono::milliseconds(20'000);
  socket.programWaits =
      ProgramWaits{socket.takenAt - std::chrono::seconds(5), socket.takenAt, std::chrono::milliseconds(1200), 17, 0.5};
  socket.timer = SocketTimer{TimerKind::windowProbe, Count(3), Milliseconds(1'600)};
  socket.bbr = BbrInfo{BitsPerSecond(12.5e6), Microseconds(20'100), 1.25, 2.0};
  socket.unchangedUntil = socket.takenAt - std::chrono::milliseconds(900);
  return socket;
}

/// Of IPv6, in a state without TCP_INFO.
inline SocketObservation bareSocket(std::uint64_t cookie) {
  SocketObservation socket = ObservationBuilder().cookie(cookie).local("2001:db8::1", 443).remote("::1", 1).build();
  socket.state = TcpState::timeWait;
  socket.info = TcpInfoSample();
  socket.congestionControl = CongestionControlName();
  return socket;
}

inline ObservationBatch exampleBatch(std::size_t sockets) {
  ObservationBatch batch;
  for (std::uint64_t cookie = 1; cookie <= sockets; ++cookie) {
    batch.changed.push_back(cookie % 3 == 0 ? bareSocket(cookie) : fullSocket(cookie));
  }
  batch.closed.push_back({{PlaceId{0}, 7}, Moment::fromNanoseconds(9'000'000'000), fullSocket(7)});
  batch.closed.push_back({{PlaceId{0}, 8}, Moment::fromNanoseconds(9'000'000'001), std::nullopt});
  Owner owner;
  owner.pid = 42;
  owner.processName = UntrustedText("ngi\x1bnx");
  owner.userName = UntrustedText("www-data");
  batch.owners.push_back({{PlaceId{0}, 1}, owner});
  owner.userName.reset();
  owner.unitOrContainer = UntrustedText("nginx.service");
  batch.owners.push_back({{PlaceId{0}, 2}, owner});
  batch.liveOptions.push_back({{PlaceId{0}, 1}, {{true, false}, NagleOptions{false, true}, std::chrono::seconds(20)}});
  batch.programWaits.push_back(
      {{PlaceId{0}, 1}, {Moment(), Moment() + std::chrono::seconds(5), std::chrono::milliseconds(700), 3, 0.25}});
  batch.gaps.push_back({PlaceId{0}, GapKind::focusSlotMissed, 12});
  batch.unchanged = 4000;
  batch.dumpEndedAt = Moment::fromNanoseconds(9'500'000'000);
  return batch;
}

inline std::vector<std::byte> exampleStream() {
  std::vector<std::byte> bytes;
  TraceWriter writer(bytes);
  writer.write(exampleHello());
  writer.write(HostFacts{{UntrustedText("net.ipv4.tcp_rmem"), UntrustedText("4096 131072 6291456")}});
  writer.write(exampleBatch(5));
  writer.write(ConnectionEvent{{PlaceId{0}, 1}, {Moment::fromNanoseconds(3), HistoryEventKind::timeout, 2}});
  ChangeMark mark;
  mark.time = Moment::fromNanoseconds(4);
  mark.connection = ConnectionId{PlaceId{0}, 1};
  mark.key = UntrustedText("congestion control");
  mark.before = UntrustedText("cubic");
  mark.after = UntrustedText("bbr");
  writer.write(mark);
  writer.write(IntervalRequest{Milliseconds(100), Microseconds(1000)});
  writer.write(FilterRequest{2, "dport = :443"});
  const SocketObservation socket = bareSocket(3);
  writer.write(FocusRequest{SocketAddress{socket.id, socket.local, socket.remote, 4}});
  writer.write(FocusRequest{});
  writer.write(StopRequest{});
  return bytes;
}

}  // namespace tcpscope::test
