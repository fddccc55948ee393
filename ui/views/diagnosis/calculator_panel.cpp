#include "ui/views/diagnosis/calculator_panel.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/steady_list.h"

namespace tcpscope {

namespace {

std::size_t placeOf(CalculatorField field) {
  return static_cast<std::size_t>(field);
}

SteadyRow rowOf(const CalculatorRow& row, Appearance appearance) {
  QStringList details;
  for (const std::string& detail : row.details) details << toQString(detail);
  return {{toQString(row.title), toQString(row.result), toQString(row.equation)},
          details.join(QLatin1Char('\n')),
          row.isKnown ? QColor() : quietTextColor(appearance)};
}

}  // namespace

CalculatorPanel::CalculatorPanel(QWidget* parent)
    : QWidget(parent),
      m_content(new QWidget),
      m_results(new SteadyList({QStringLiteral("Calculation"), QStringLiteral("Result"), QStringLiteral("Equation")},
                               QStringLiteral("Calculated figures"))) {
  m_toggle.setText(QStringLiteral("Calculator"));
  m_toggle.setCheckable(true);
  m_toggle.setAutoRaise(true);
  m_toggle.setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  m_toggle.setArrowType(Qt::RightArrow);
  m_toggle.setFocusPolicy(Qt::StrongFocus);
  m_toggle.setToolTip(toolTipText(
      QStringLiteral("Window for a rate, rate that a window or a loss allows, and the same with another MTU")));
  m_useCurrent.setText(QStringLiteral("Use current fi&gures"));
  m_useCurrent.setToolTip(toolTipText(QStringLiteral("Replace every field by the connection's current figure")));
  m_fault.setTextFormat(Qt::PlainText);
  m_fault.setWordWrap(true);
  m_fault.setAccessibleName(QStringLiteral("What is wrong with a figure"));
  buildLayout();
  m_content->hide();
  connect(&m_toggle, &QToolButton::toggled, this, [this](bool open) {
    m_toggle.setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    m_content->setVisible(open);
  });
  connect(&m_toggle, &QToolButton::clicked, this, &CalculatorPanel::opened);
  connect(&m_useCurrent, &QPushButton::clicked, this, [this] { startWith(m_current); });
  StatedFigures none;
  takeTyped(none, CalculatorField::otherMtu, "9000");
  startWith(none);
}

void CalculatorPanel::buildLayout() {
  constexpr int kFieldLetters = 18;
  auto* fields = new QGridLayout;
  int line = 0;
  for (const CalculatorField one : kCalculatorFields) {
    QLineEdit& edit = field(one);
    auto* label = new QLabel(toQString(title(one)));
    label->setBuddy(&edit);
    edit.setMaxLength(60);
    edit.setMinimumWidth(fontMetrics().averageCharWidth() * kFieldLetters);
    edit.setAccessibleName(toQString(title(one)));
    edit.setAccessibleDescription(toQString(explanation(one)));
    edit.setToolTip(toolTipText(toQString(explanation(one))));
    label->setToolTip(edit.toolTip());
    connect(&edit, &QLineEdit::textEdited, this, [this, one] {
      m_typed[placeOf(one)] = true;
      calculate();
    });
    fields->addWidget(label, line, 0);
    fields->addWidget(&edit, line, 1);
    ++line;
  }
  fields->addWidget(&m_useCurrent, line, 0, 1, 2);
  fields->setRowStretch(line + 1, 1);
  m_results->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  m_results->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  m_results->header()->setStretchLastSection(true);
  fitResults();
  auto* right = new QVBoxLayout;
  right->addWidget(m_results, 1);
  right->addWidget(&m_fault);
  auto* content = new QHBoxLayout(m_content);
  content->setContentsMargins(0, 0, 0, 0);
  content->addLayout(fields);
  content->addLayout(right, 1);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(&m_toggle, 0, Qt::AlignLeft);
  layout->addWidget(m_content);
}

void CalculatorPanel::startWith(const StatedFigures& figures) {
  m_typed.fill(false);
  turnTo(figures);
}

void CalculatorPanel::turnTo(const StatedFigures& figures) {
  m_current = figures;
  for (const CalculatorField one : kCalculatorFields) {
    if (!m_typed[placeOf(one)]) fill(one, figures);
  }
  calculate();
}

void CalculatorPanel::setCurrent(const StatedFigures& figures) {
  if (figures == m_current) return;
  m_current = figures;
  bool isFilled = false;
  for (const CalculatorField one : kCalculatorFields) {
    if (m_typed[placeOf(one)] || !field(one).text().isEmpty()) continue;
    fill(one, figures);
    isFilled = isFilled || !field(one).text().isEmpty();
  }
  if (isFilled) calculate();
}

void CalculatorPanel::fill(CalculatorField one, const StatedFigures& figures) {
  QLineEdit& edit = field(one);
  edit.setPlaceholderText(one == CalculatorField::loss && figures.hasNoLoss ? QStringLiteral("none seen")
                                                                            : QStringLiteral("unknown"));
  edit.setText(toQString(typedText(figures, one)));
  edit.setCursorPosition(0);
}

void CalculatorPanel::calculate() {
  StatedFigures figures;
  QStringList faults;
  const Appearance appearance = appearanceOf(palette());
  for (const CalculatorField one : kCalculatorFields) {
    QLineEdit& edit = field(one);
    const bool isGood = takeTyped(figures, one, edit.text().toStdString());
    if (!isGood) faults << toQString(hint(one));
    QPalette colors = palette();
    colors.setColor(QPalette::Base, entryBackground(isGood ? EntryState::neutral : EntryState::wrong, appearance));
    edit.setPalette(colors);
  }
  m_fault.setText(faults.join(QLatin1Char(' ')));
  m_fault.setVisible(!faults.isEmpty());
  std::vector<SteadyRow> rows;
  for (const CalculatorRow& row : calculatorRows(figures)) rows.push_back(rowOf(row, appearance));
  m_results->setRows(std::move(rows));
}

/// All of its rows, without scrolling.
void CalculatorPanel::fitResults() {
  const auto lines = static_cast<int>(calculatorRows({}).size()) + 1;
  m_results->setMinimumHeight(lines * (fontMetrics().height() + 7) + 8);
}

void CalculatorPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) calculate();
  if (event->type() == QEvent::FontChange) fitResults();
}

}  // namespace tcpscope
