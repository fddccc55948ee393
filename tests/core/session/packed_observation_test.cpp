#include "core/session/packed_observation.h"

#include <gtest/gtest.h>

#include "tests/support/observation_builder.h"
#include "tests/support/same_observation.h"

namespace tcpscope {
namespace {

using test::expectSame;
using test::ObservationBuilder;
using namespace std::chrono_literals;

SocketObservation withEverything() {
  SocketObservation socket = ObservationBuilder()
                                 .at(5s)
                                 .cookie(0x1234'5678'9abc'def0)
                                 .local("2001:db8::1", 443)
                                 .remote("2001:db8::2", 50'000)
                                 .acked(1ULL << 40)
                                 .queues(1, 2)
                                 .locks(true, false)
                                 .build();
  socket.id.place.number = 3;
  socket.userId = 1000;
  socket.inode = 77;
  socket.interfaceIndex = 2;
  socket.cgroupId = 1ULL << 33;
  socket.memory =
      SocketMemory{Bytes(1), Bytes(2), Bytes(3), Bytes(4), Bytes(5), Bytes(6), Bytes(7), Bytes(8), Count(9)};
  socket.bbr = BbrInfo{BitsPerSecond(8e9), Microseconds(20), 1.25, 2.0};
  socket.unchangedUntil = Moment::fromNanoseconds(99);
  return socket;
}

TEST(PackedObservation, GivesEveryFieldBack) {
  PackedObservation packed;
  packed.pack(withEverything());
  expectSame(packed.unpack(), withEverything());
  EXPECT_EQ(packed.id(), withEverything().id);
  EXPECT_EQ(packed.takenAt(), withEverything().takenAt);
}

TEST(PackedObservation, HoldsNothingBeforeTheFirst) {
  expectSame(PackedObservation().unpack(), SocketObservation{});
}

TEST(PackedObservation, IsWrittenOverByASmallerAndByALargerOne) {
  PackedObservation packed;
  const SocketObservation small = ObservationBuilder().state(TcpState::timeWait).reportedBytes(0).build();
  for (const SocketObservation& socket : {withEverything(), small, withEverything()}) {
    packed.pack(socket);
    expectSame(packed.unpack(), socket);
  }
}

TEST(PackedObservation, HoldsAnyBytesOfTcpInfo) {
  std::array<std::byte, tcp_info::kKnownSize> bytes{};
  for (std::size_t length = 0; length <= bytes.size(); ++length) {
    bytes.fill(std::byte{0xff});
    SocketObservation socket = withEverything();
    socket.info = TcpInfoSample(std::span<const std::byte>(bytes).first(length), AccecnLayout::linux70);
    PackedObservation packed;
    packed.pack(socket);
    expectSame(packed.unpack(), socket);
  }
}

TEST(PackedObservation, WhatIsNotReportedTakesNoSpaceWhateverLayThereBefore) {
  SocketObservation used = withEverything();
  used.cgroupId.reset();
  used.memory.reset();
  used.bbr.reset();
  used.unchangedUntil.reset();
  SocketObservation fresh;
  std::memcpy(static_cast<void*>(&fresh), &used, sizeof fresh);
  std::memset(static_cast<void*>(&fresh.memory), 0, sizeof fresh.memory);
  std::memset(static_cast<void*>(&fresh.bbr), 0, sizeof fresh.bbr);
  std::memset(static_cast<void*>(&fresh.cgroupId), 0, sizeof fresh.cgroupId);
  std::memset(static_cast<void*>(&fresh.unchangedUntil), 0, sizeof fresh.unchangedUntil);
  EXPECT_EQ(PackedObservation::bytesFor(used), PackedObservation::bytesFor(fresh));
}

TEST(PackedObservation, ACopyKeepsItsIdAndTimeEvenIfNothingElseIsKnown) {
  SocketObservation nothing;
  std::memset(static_cast<void*>(&nothing), 0, sizeof nothing);
  nothing.id = {PlaceId{3}, 7};
  nothing.takenAt = Moment::fromNanoseconds(5);
  PackedObservation packed;
  packed.pack(nothing);
  const PackedObservation copy(packed);  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_EQ(copy.id(), nothing.id);
  EXPECT_EQ(copy.takenAt(), nothing.takenAt);
}

}  // namespace
}  // namespace tcpscope
