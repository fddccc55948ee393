// The rows of the bounds: a rate only where it means something, and what it means.
#include "ui/views/diagnosis/bound_table_model.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

class BoundTable : public testing::Test {
protected:
  /// "rate | note" of the only row.
  QString row(const Bound& bound) {
    m_model.setBounds({bound});
    return m_model.index(0, 1).data().toString() + QStringLiteral(" | ") + m_model.index(0, 2).data().toString();
  }
  BoundTableModel m_model;
};

TEST_F(BoundTable, ShowsALimitingRate) {
  EXPECT_EQ(row({BoundModel::receiverWindow, BitsPerSecond(20e6), true, WhyNoBound::none}),
            QStringLiteral("20.0 Mbit/s | applies"));
}

TEST_F(BoundTable, ShowsALowerBoundOfALimit) {
  EXPECT_TRUE(row({BoundModel::mathis, BitsPerSecond(20e6), false, WhyNoBound::noLossSeen})
                  .startsWith(QStringLiteral("≥ 20.0 Mbit/s | ")));
}

TEST_F(BoundTable, ShowsNoRateWithoutALimit) {
  EXPECT_TRUE(row({BoundModel::mathis, BitsPerSecond(20e6), false, WhyNoBound::tooMuchLoss})
                  .startsWith(QStringLiteral("– | More than 2 %")));
}

TEST_F(BoundTable, MentionsARateOnlyWhereOneIsKnown) {
  EXPECT_EQ(row({BoundModel::bbr, std::nullopt, false, WhyNoBound::onlyDelivered}),
            QStringLiteral("– | BBR's own figures are not reported."));
}

}  // namespace
}  // namespace tcpscope
