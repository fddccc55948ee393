#include "ui/window/tuning_guide_help.h"

#include <QDialogButtonBox>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include "core/present/text/tuning_guide.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

QLabel* guideLabel(std::string_view text, bool isBold = false) {
  auto* label = new QLabel(toQString(text));
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  QFont font = label->font();
  font.setBold(isBold);
  label->setFont(font);
  return label;
}

class GuideGrid {
public:
  explicit GuideGrid(QWidget& page) : m_grid(new QGridLayout(&page)) {
    m_grid->setHorizontalSpacing(14);
    m_grid->setVerticalSpacing(5);
    m_grid->setColumnStretch(1, 1);
  }

  void title(std::string_view text) {
    if (m_row > 0) m_grid->setRowMinimumHeight(m_row++, 12);
    m_grid->addWidget(guideLabel(text, true), m_row++, 0, 1, 2);
  }
  void paragraph(std::string_view text) { m_grid->addWidget(guideLabel(text), m_row++, 0, 1, 2); }
  void row(std::string_view name, std::string_view text) {
    QLabel* label = guideLabel(name);
    label->setMaximumWidth(kWidestName);
    m_grid->addWidget(label, m_row, 0, Qt::AlignTop);
    m_grid->addWidget(guideLabel(text), m_row++, 1);
  }
  void finish() { m_grid->setRowStretch(m_row, 1); }

private:
  static constexpr int kWidestName = 190;

  QGridLayout* m_grid;
  int m_row = 0;
};

}  // namespace

TuningGuideHelp::TuningGuideHelp(QWidget* parent) : QDialog(parent) {
  setWindowTitle(toQString(kTuningGuideTitle));
  resize(860, 640);
  auto* page = new QWidget;
  GuideGrid grid(*page);
  grid.paragraph(tuningGuideIntroduction());
  for (const TuningLoad load : kTuningLoads) {
    const TuningGuideRow row = guideRow(load);
    grid.title(row.load);
    grid.row("Use", row.use);
    grid.row("Why", row.why);
    grid.row("In tcpscope", row.inTcpscope);
    grid.row("The paper, 2002", row.paper);
  }
  grid.title("First, for every load");
  for (const TuningFirstStep& step : tuningFirstSteps()) grid.row(step.step, step.today);
  grid.finish();
  auto* scroll = new QScrollArea;
  scroll->setWidget(page);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(scroll, 1);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
}

}  // namespace tcpscope
