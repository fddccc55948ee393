#include "core/model/stream_bytes.h"

#include <gtest/gtest.h>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

test::ObservationBuilder sent(std::uint64_t bytes, std::uint64_t retransmitted) {
  return test::ObservationBuilder()
      .dataSegmentsOut(7)
      .set(tcp_info::kBytesSent, bytes)
      .set(tcp_info::kBytesRetrans, retransmitted);
}

TEST(StreamBytes, LeavesOutSynAndFin) {
  EXPECT_EQ(acknowledgedData(sent(1000, 0).acked(1002).build().info), Bytes(1000));
  EXPECT_EQ(acknowledgedData(sent(1500, 500).acked(1001).build().info), Bytes(1000)) << "opened by the peer";
}

TEST(StreamBytes, CountsWhatIsAcknowledgedAndNotWhatIsSent) {
  EXPECT_EQ(acknowledgedData(sent(5000, 0).acked(1001).build().info), Bytes(1001));
}

TEST(StreamBytes, OfAConnectionWithoutDataAreZero) {
  const SocketObservation quiet =
      test::ObservationBuilder().acked(2).received(1).dataSegmentsOut(0).dataSegmentsIn(0).build();
  EXPECT_EQ(acknowledgedData(quiet.info), Bytes(0));
  EXPECT_EQ(receivedData(quiet.info), Bytes(0));
  EXPECT_TRUE(carriedNothing(quiet.info));
  EXPECT_FALSE(carriedNothing(sent(1, 0).acked(2).received(0).build().info)) << "one byte";
}

TEST(StreamBytes, AreUnknownWhereTheKernelDoesNotCount) {
  const SocketObservation old = test::ObservationBuilder().reportedBytes(104).build();
  EXPECT_FALSE(acknowledgedData(old.info));
  EXPECT_FALSE(receivedData(old.info));
  EXPECT_FALSE(carriedNothing(old.info));
}

}  // namespace
}  // namespace tcpscope
