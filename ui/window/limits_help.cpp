#include "ui/window/limits_help.h"

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPixmap>

#include "core/present/text/diagnosis_text.h"
#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

namespace tcpscope {

namespace {

QLabel* colorSample(const QColor& color) {
  QPixmap sample(18, 18);
  sample.fill(color);
  auto* label = new QLabel;
  label->setPixmap(sample);
  return label;
}

}  // namespace

LimitsHelp::LimitsHelp(QWidget* parent) : QDialog(parent) {
  setWindowTitle(QStringLiteral("What the limits mean"));
  resize(760, 560);
  auto* grid = new QGridLayout(this);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(10);
  int row = 0;
  for (const Limit limit : kVerdictLimits) {
    auto* title = new QLabel(toQString(shortName(limit)));
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    auto* text = new QLabel(toQString(explanation(limit)));
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    for (QLabel* label : {title, text}) label->setTextFormat(Qt::PlainText);
    grid->addWidget(colorSample(limitColor(limit, appearanceOf(palette()))), row, 0, Qt::AlignTop);
    grid->addWidget(title, row, 1, Qt::AlignTop);
    grid->addWidget(text, row, 2);
    ++row;
  }
  grid->setColumnStretch(2, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  grid->addWidget(buttons, row, 0, 1, 3);
}

}  // namespace tcpscope
