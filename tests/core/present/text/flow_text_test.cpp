#include "core/present/text/flow_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using testing::StartsWith;

ConnectionSummary offering(std::optional<Bytes> one, std::optional<Bytes> other) {
  ConnectionSummary flow;
  flow.directions[0].offered = OfferedOptions{};
  flow.directions[0].offered->mss = one;
  flow.directions[1].offered = OfferedOptions{};
  flow.directions[1].offered->mss = other;
  return flow;
}

TEST(NegotiatedText, GivesTheUnitToTheKnownFigure) {
  EXPECT_THAT(negotiated(offering(Bytes(1460), Bytes(1380))), StartsWith("MSS 1460 and 1380 bytes, no window scale"));
  EXPECT_THAT(negotiated(offering(Bytes(1460), std::nullopt)), StartsWith("MSS 1460 bytes and none, no window scale"));
  EXPECT_THAT(negotiated(offering(std::nullopt, Bytes(1380))), StartsWith("MSS none and 1380 bytes, no window scale"));
}

}  // namespace
}  // namespace tcpscope
