#include "ui/widgets/elided_label.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

/// As a label of this width draws the text.
template <class Label>
QImage drawn(const QString& text, int width) {
  Label label;
  label.setText(text);
  label.resize(width, 20);
  return label.grab().toImage();
}

TEST(ElidedLabel, DrawsTextThatFitsAsAnyLabel) {
  const QString text = QStringLiteral("two gaps");
  EXPECT_EQ(drawn<ElidedLabel>(text, 300), drawn<QLabel>(text, 300));
}

TEST(ElidedLabel, EndsLongTextInAnEllipsis) {
  const QString text = QStringLiteral("batches dropped because the analysis was late: 12");
  const QString fitting = QLabel().fontMetrics().elidedText(text, Qt::ElideRight, 120);
  ASSERT_NE(fitting, text);
  EXPECT_EQ(drawn<ElidedLabel>(text, 120), drawn<QLabel>(fitting, 120));
}

TEST(ElidedLabel, KeepsTheWholeTextForThoseWhoHearIt) {
  ElidedLabel label;
  label.setText(QStringLiteral("batches dropped because the analysis was late: 12"));
  label.resize(40, 20);
  EXPECT_TRUE(label.text().endsWith(QStringLiteral("12")));
  EXPECT_EQ(label.minimumSizeHint().width(), 0);
}

}  // namespace
}  // namespace tcpscope
