#include "core/model/tcp_info_sample.h"

#include <gtest/gtest.h>

#include <vector>

namespace tcpscope {
namespace {

/// Bytes whose value is their offset: 0, 1, 2, ….
std::vector<std::byte> numberedBytes(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t index = 0; index < size; ++index) bytes[index] = static_cast<std::byte>(index);
  return bytes;
}

TEST(TcpInfoSample, AnEmptyRecordReportsNothing) {
  const TcpInfoSample sample;
  EXPECT_TRUE(sample.empty());
  EXPECT_FALSE(sample.state());
  EXPECT_FALSE(sample.totalRetrans());
  EXPECT_FALSE(sample.accecnFields().failMode);
}

TEST(TcpInfoSample, AHoleIsNotKnownThoughLaterFieldsAre) {
  TcpInfoHoles holes = TcpInfoHoles::everywhere();
  holes.fill(tcp_info::kState.offset, tcp_info::kState.kSize);
  holes.fill(tcp_info::kSndCwnd.offset, tcp_info::kSndCwnd.kSize);
  holes.fill(tcp_info::kBytesAcked.offset, tcp_info::kBytesAcked.kSize);
  holes.fill(tcp_info::kDeliveryRateAppLimited.offset, tcp_info::kDeliveryRateAppLimited.kSize);
  const TcpInfoSample sample(numberedBytes(tcp_info::kKnownSize), AccecnLayout::linux618, holes);
  EXPECT_TRUE(sample.state());
  EXPECT_TRUE(sample.sndCwnd());
  EXPECT_TRUE(sample.bytesAcked());
  EXPECT_TRUE(sample.deliveryRateAppLimited());
  EXPECT_FALSE(sample.fastopenClientFail()) << "of the same byte";
  EXPECT_FALSE(sample.caState());
  EXPECT_FALSE(sample.rtt());
  EXPECT_FALSE(sample.bytesReceived());
  EXPECT_FALSE(sample.accecnFields().failMode);
}

TEST(TcpInfoSample, EndsWhereAKernelOf2005Ends) {
  const TcpInfoSample sample(numberedBytes(104));
  EXPECT_TRUE(sample.totalRetrans());
  EXPECT_FALSE(sample.pacingRate());
  EXPECT_FALSE(sample.bytesAcked());
}

TEST(TcpInfoSample, EndsWhereLinux419Ends) {
  const TcpInfoSample sample(numberedBytes(224));
  EXPECT_TRUE(sample.bytesRetrans());
  EXPECT_TRUE(sample.reordSeen());
  EXPECT_FALSE(sample.rcvOoopack());
  EXPECT_FALSE(sample.sndWnd());
  EXPECT_FALSE(sample.totalRto());
}

TEST(TcpInfoSample, ReadsAllOfLinux618) {
  const TcpInfoSample sample(numberedBytes(280), AccecnLayout::linux618);
  EXPECT_TRUE(sample.rcvWnd());
  EXPECT_TRUE(sample.totalRtoTime());
  EXPECT_TRUE(sample.receivedCeBytes());
  EXPECT_TRUE(sample.accecnFields().failMode);
  EXPECT_TRUE(sample.accecnFields().optionsSeen);
}

TEST(TcpInfoSample, CutsWhatALaterKernelAdds) {
  const TcpInfoSample longer(numberedBytes(300));
  EXPECT_EQ(longer.bytes().size(), 280U);
  EXPECT_TRUE(longer.receivedCeBytes());
}

TEST(TcpInfoSample, AFieldCutInTheMiddleIsNotReported) {
  EXPECT_FALSE(TcpInfoSample(numberedBytes(127)).bytesAcked());
  EXPECT_TRUE(TcpInfoSample(numberedBytes(128)).bytesAcked());
}

std::vector<std::byte> zeros() {
  return std::vector<std::byte>(tcp_info::kKnownSize);
}

template <class Field, class Raw>
std::vector<std::byte> with(const Field& field, Raw raw) {
  std::vector<std::byte> bytes = zeros();
  EXPECT_EQ(sizeof raw, Field::kSize);
  std::memcpy(bytes.data() + field.offset, &raw, sizeof raw);
  return bytes;
}

TEST(TcpInfoSample, ReadsNumbersThatStandForNoneAsNotReported) {
  EXPECT_FALSE(TcpInfoSample(with(tcp_info::kMinRtt, ~std::uint32_t{0})).minRtt());
  EXPECT_FALSE(TcpInfoSample(with(tcp_info::kSndSsthresh, std::uint32_t{0x7fffffff})).sndSsthresh());
  EXPECT_EQ(TcpInfoSample(with(tcp_info::kSndSsthresh, std::uint32_t{0x7ffffffe})).sndSsthresh(), Segments(0x7ffffffe));
  EXPECT_FALSE(TcpInfoSample(zeros()).rtt());
  EXPECT_FALSE(TcpInfoSample(zeros()).rcvRtt());
  EXPECT_FALSE(TcpInfoSample(zeros()).deliveryRate());
}

TEST(TcpInfoSample, ReadsATimeBeyondAllClocksAsNotReported) {
  EXPECT_FALSE(TcpInfoSample(with(tcp_info::kBusyTime, std::uint64_t{72'787'674'672'861'440})).busyTime());
  EXPECT_FALSE(TcpInfoSample(with(tcp_info::kSndbufLimited, ~std::uint64_t{0})).sndbufLimited());
  EXPECT_EQ(TcpInfoSample(with(tcp_info::kRwndLimited, std::uint64_t{9'000'000'000'000'000})).rwndLimited(),
            Microseconds(9'000'000'000'000'000));
}

TEST(TcpInfoSample, ConvertsToBaseUnits) {
  EXPECT_EQ(TcpInfoSample(with(tcp_info::kLastDataSent, std::uint32_t{1500})).lastDataSent(), Milliseconds(1500));
  EXPECT_EQ(TcpInfoSample(with(tcp_info::kTotalRtoTime, std::uint32_t{7})).totalRtoTime(), Microseconds(7000));
  EXPECT_EQ(TcpInfoSample(with(tcp_info::kPacingRate, std::uint64_t{125'000})).pacingRate(), BitsPerSecond(1e6));
  EXPECT_EQ(TcpInfoSample(with(tcp_info::kRtt, std::uint32_t{20'000})).rtt(), Milliseconds(20));
}

TEST(TcpInfoSample, KnowsBothWaysToSayThatPacingIsUnlimited) {
  EXPECT_TRUE(TcpInfoSample(with(tcp_info::kMaxPacingRate, ~std::uint64_t{0})).maxPacingRate()->isUnlimited());
  EXPECT_TRUE(TcpInfoSample(with(tcp_info::kMaxPacingRate, std::uint64_t{0xffffffff})).maxPacingRate()->isUnlimited());
}

TEST(TcpInfoSample, TakesTheBitFieldsApart) {
  std::vector<std::byte> bytes = zeros();
  bytes[5] = std::byte{0b0000'1111};
  bytes[6] = std::byte{0x9c};  // peer's shift in the low half, own in the high half
  bytes[7] = std::byte{0b0000'0101};
  const TcpInfoSample sample(bytes);
  EXPECT_TRUE(sample.options()->timestamps() && sample.options()->sack() && sample.options()->windowScale());
  EXPECT_TRUE(sample.options()->ecn());
  EXPECT_FALSE(sample.options()->ecnSeen() || sample.options()->synData());
  EXPECT_EQ(sample.sndWscale(), Count(12));
  EXPECT_EQ(sample.rcvWscale(), Count(9));
  EXPECT_EQ(sample.deliveryRateAppLimited(), true);
  EXPECT_EQ(sample.fastopenClientFail(), Count(2));
}

TEST(TcpInfoSample, ReadsTheLastFourBytesAsTheReleaseSays) {
  const std::vector<std::byte> bytes = with(tcp_info::kAccecnBytes, std::uint32_t{0x0002'0035});
  const AccecnFields old = TcpInfoSample(bytes, AccecnLayout::linux618).accecnFields();
  EXPECT_EQ(old.failMode, Count(0x35));
  EXPECT_EQ(old.optionsSeen, Count(2));
  // 7.0: two bits of mode, two bits of options seen, four bits of failure.
  const AccecnFields recent = TcpInfoSample(bytes, AccecnLayout::linux70).accecnFields();
  EXPECT_EQ(recent.failMode, Count(3));
  EXPECT_EQ(recent.optionsSeen, Count(1));
  EXPECT_FALSE(TcpInfoSample(bytes, AccecnLayout::unknown).accecnFields().failMode);
}

TEST(TcpInfoSample, NamesTheStatesOfRecovery) {
  std::vector<std::byte> bytes = zeros();
  bytes[1] = std::byte{3};
  EXPECT_EQ(TcpInfoSample(bytes).caState(), CaState::recovery);
  bytes[1] = std::byte{200};
  EXPECT_EQ(TcpInfoSample(bytes).caState(), CaState::unknown);
  EXPECT_EQ(name(CaState::congestionWindowReduced), "cwr");
}

}  // namespace
}  // namespace tcpscope
