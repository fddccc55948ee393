#include "core/changes/option_value.h"

#include <gtest/gtest.h>

#include "core/present/text/tune_text.h"

namespace tcpscope {
namespace {

std::uint64_t numberOf(std::string_view word) {
  const auto change = parseOptionChange(word);
  EXPECT_TRUE(change) << word << ": " << (change ? "" : sentence(change.error(), {}));
  return change ? change->value.number : 0;
}

TuneErrorKind errorOf(std::string_view word) {
  const auto change = parseOptionChange(word);
  EXPECT_FALSE(change) << word;
  if (change) return TuneErrorKind::gone;
  const std::string text = sentence(change.error(), "sudo tcpscope-cli tune");
  EXPECT_FALSE(text.empty());
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  return change.error().kind;
}

TEST(OptionChange, IsReadInTheKernelsUnit) {
  EXPECT_EQ(numberOf("SO_SNDBUF=4MiB"), 4U << 20U);
  EXPECT_EQ(numberOf("so_rcvbuf=65536"), 65536U);
  EXPECT_EQ(numberOf("SO_MAX_PACING_RATE=100Mbit"), 12'500'000U);
  EXPECT_EQ(numberOf("SO_MAX_PACING_RATE=12500000"), 12'500'000U) << "bytes a second, as in socket(7)";
  EXPECT_EQ(numberOf("SO_MAX_PACING_RATE=unlimited"), kUnlimited);
  EXPECT_EQ(numberOf("TCP_NODELAY=on"), 1U);
  EXPECT_EQ(numberOf("TCP_NODELAY=0"), 0U);
  EXPECT_EQ(numberOf("TCP_USER_TIMEOUT=30s"), 30'000U);
  EXPECT_EQ(numberOf("TCP_USER_TIMEOUT=1500"), 1'500U);
  EXPECT_EQ(numberOf("TCP_RTO_MIN_US=40ms"), 40'000U);
  EXPECT_EQ(numberOf("TCP_KEEPIDLE=2min"), 120U);
  EXPECT_EQ(numberOf("SO_BUF_LOCK=none"), 0U);
  EXPECT_EQ(numberOf("SO_BUF_LOCK=both"), 3U);
  EXPECT_EQ(numberOf("SO_BUF_LOCK=2"), kReceiveBufferLock);
}

TEST(OptionChange, OfACongestionControlIsAName) {
  const auto change = parseOptionChange("TCP_CONGESTION=bbr");
  ASSERT_TRUE(change);
  EXPECT_EQ(change->value.name.text(), "bbr");
  for (const char* word : {"TCP_CONGESTION=", "TCP_CONGESTION=a b", "TCP_CONGESTION=sixteen_letters_"}) {
    EXPECT_EQ(errorOf(word), TuneErrorKind::malformedValue);
  }
}

TEST(OptionChange, SaysWhyItCannotBe) {
  EXPECT_EQ(errorOf("SO_SNDBUF"), TuneErrorKind::malformedChange);
  EXPECT_EQ(errorOf("SO_LINGER=1"), TuneErrorKind::unknownOption);
  EXPECT_EQ(errorOf("SO_SNDBUF=much"), TuneErrorKind::malformedValue);
  EXPECT_EQ(errorOf("SO_SNDBUF=-1"), TuneErrorKind::malformedValue);
  EXPECT_EQ(errorOf("SO_SNDBUF=1"), TuneErrorKind::outOfRange);
  EXPECT_EQ(errorOf("SO_SNDBUF=100GiB"), TuneErrorKind::outOfRange);
  EXPECT_EQ(errorOf("SO_BUF_LOCK=4"), TuneErrorKind::outOfRange);
  EXPECT_EQ(errorOf("TCP_MAXSEG=1000"), TuneErrorKind::atStart);
  EXPECT_EQ(errorOf("TCP_QUICKACK=on"), TuneErrorKind::notKept);
  EXPECT_EQ(parseOptionChanges({"TCP_NODELAY=on", "tcp_nodelay=off"}).error().kind, TuneErrorKind::optionTwice);
}

TEST(SocketOptions, AreAllExplainedAndFoundByName) {
  for (const SocketOptionRow& row : socketOptions()) {
    EXPECT_FALSE(explanation(row.id).empty()) << row.name;
    EXPECT_EQ(optionNamed(row.name), &row);
    EXPECT_FALSE(valueText(row.id, {row.most, CongestionControlName("cubic")}).empty()) << row.name;
  }
}

}  // namespace
}  // namespace tcpscope
