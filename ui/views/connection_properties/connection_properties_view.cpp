#include "ui/views/connection_properties/connection_properties_view.h"

#include <QFormLayout>
#include <QGroupBox>
#include <QScrollArea>
#include <algorithm>

#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

QLabel* plainLabel(const QString& text = {}) {
  auto* label = new QLabel(text);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  return label;
}

/// Sections stand in as many columns as there is room for, so that a wide and low pane needs no scrolling.
constexpr std::size_t kMostColumns = 3;
constexpr int kColumnCharacters = 58;

/// Connection and owner; what was negotiated; congestion control and buffers.
std::size_t columnOf(std::size_t section, std::size_t columns) {
  constexpr std::size_t kColumnOfSection[] = {0, 1, 0, 2, 2};
  const std::size_t widest = section < std::size(kColumnOfSection) ? kColumnOfSection[section] : kMostColumns - 1;
  return std::min(widest, columns - 1);
}

}  // namespace

ConnectionPropertiesView::ConnectionPropertiesView(const ViewContext& context, QWidget* parent)
    : View(context, parent),
      m_message(plainLabel()),
      m_missing(plainLabel()),
      m_content(new QWidget),
      m_columns(new QHBoxLayout) {
  auto* content = new QVBoxLayout(m_content);
  m_missing->setAccessibleName(QStringLiteral("Missing data"));
  m_missing->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  content->addWidget(m_missing);
  content->addLayout(m_columns);
  content->addStretch();
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(m_content);
  m_message->setAlignment(Qt::AlignCenter);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_message, 1);
  layout->addWidget(scroll, 1);
  showMessage(whyNoDetail(nullptr, context.selection));
}

void ConnectionPropertiesView::setSelection(const Selection& selection) {
  showMessage(whyNoDetail(nullptr, selection));
}

void ConnectionPropertiesView::setSnapshot(const SnapshotPointer& snapshot) {
  const ConnectionDetail* detail = selectedDetail(snapshot, context().selection);
  if (detail == nullptr) {
    showMessage(whyNoDetail(snapshot, context().selection));
    return;
  }
  showProperties(connectionProperties(*detail, *snapshot), missingThings(*detail));
}

void ConnectionPropertiesView::showMessage(const QString& message) {
  m_message->setText(message);
  m_message->show();
  m_content->parentWidget()->parentWidget()->hide();
}

void ConnectionPropertiesView::showProperties(const std::vector<PropertySection>& sections,
                                              const std::vector<QString>& missing) {
  std::vector<QString> names;
  for (const PropertySection& section : sections) {
    for (const ConnectionProperty& property : section.properties) names.push_back(property.name);
  }
  const auto columns = static_cast<std::size_t>(
      std::clamp(width() / (fontMetrics().averageCharWidth() * kColumnCharacters), 1, static_cast<int>(kMostColumns)));
  if (names != m_names || columns != m_columnCount) {
    m_names = names;
    m_columnCount = columns;
    build(sections);
  }
  std::size_t next = 0;
  for (const PropertySection& section : sections) {
    for (const ConnectionProperty& property : section.properties) {
      QLabel* label = m_values[next++];
      if (label->text() != property.value) label->setText(property.value);
    }
  }
  QStringList lines;
  for (const QString& line : missing) lines << QStringLiteral("• ") + line;
  const QString text = lines.isEmpty() ? QStringLiteral("No recommended TCP option is missing.") : lines.join(u'\n');
  if (m_missing->text() != text) m_missing->setText(text);
  m_message->hide();
  m_content->parentWidget()->parentWidget()->show();
}

void ConnectionPropertiesView::build(const std::vector<PropertySection>& sections) {
  m_values.clear();
  while (QLayoutItem* item = m_columns->takeAt(0)) {
    while (QLayoutItem* box = item->layout() == nullptr ? nullptr : item->layout()->takeAt(0)) {
      delete box->widget();
      delete box;
    }
    delete item;
  }
  std::vector<QVBoxLayout*> columns;
  for (std::size_t column = 0; column < m_columnCount; ++column) {
    columns.push_back(new QVBoxLayout);
    m_columns->addLayout(columns.back(), 1);
  }
  for (std::size_t index = 0; index < sections.size(); ++index) {
    auto* box = new QGroupBox(sections[index].title);
    auto* form = new QFormLayout(box);
    form->setVerticalSpacing(3);
    for (const ConnectionProperty& property : sections[index].properties) {
      QLabel* name = plainLabel(property.name);
      name->setWordWrap(false);
      QLabel* value = plainLabel();
      value->setTextInteractionFlags(Qt::TextSelectableByMouse);
      value->setAccessibleName(property.name);
      for (QLabel* label : {name, value}) label->setToolTip(toolTipText(property.hint));
      form->addRow(name, value);
      m_values.push_back(value);
    }
    columns[columnOf(index, m_columnCount)]->addWidget(box);
  }
  for (QVBoxLayout* column : columns) column->addStretch();
}

}  // namespace tcpscope
