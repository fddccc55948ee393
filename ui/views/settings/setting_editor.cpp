#include "ui/views/settings/setting_editor.h"

#include <QBoxLayout>
#include <QEvent>
#include <QSignalBlocker>
#include <cmath>

#include "ui/text/plain_text.h"
#include "ui/theme/theme.h"

namespace tcpscope {

namespace {

constexpr int kSliderSteps = 200;

}  // namespace

SettingEditor::SettingEditor(QWidget* parent) : QWidget(parent) {
  m_name.setTextFormat(Qt::PlainText);
  m_name.setBuddy(&m_field);
  m_field.setMaxLength(200);
  m_field.setAccessibleName(QStringLiteral("New value"));
  m_field.setPlaceholderText(QStringLiteral("New value"));
  m_slider.setRange(0, kSliderSteps);
  m_slider.setAccessibleName(QStringLiteral("New value, by even steps of its logarithm"));
  m_appliesWhileMoved.setText(QStringLiteral("Apply while it &moves"));
  m_appliesWhileMoved.setToolTip(QStringLiteral(
      "Each value is tried at once, and the plot below shows its effect; Undo brings the original back"));
  m_preview.setText(QStringLiteral("Previe&w the change…"));
  m_fault.setTextFormat(Qt::PlainText);
  m_fault.setWordWrap(true);
  m_fault.setAccessibleName(QStringLiteral("What is wrong with the value"));
  buildLayout();
  connect(&m_field, &QLineEdit::textChanged, this, &SettingEditor::check);
  connect(&m_field, &QLineEdit::textEdited, this, &SettingEditor::takeTyped);
  connect(&m_field, &QLineEdit::returnPressed, &m_preview, &QPushButton::click);
  connect(&m_slider, &QSlider::valueChanged, this, &SettingEditor::takeFromSlider);
  connect(&m_preview, &QPushButton::clicked, this, [this] {
    if (!m_row) return;
    if (const auto change = typedChange(*m_row, m_field.text())) emit previewRequested(*change);
  });
  setRow(std::nullopt, {});
}

void SettingEditor::buildLayout() {
  auto* line = new QHBoxLayout;
  line->addWidget(&m_name);
  line->addWidget(&m_field, 1);
  line->addWidget(&m_slider, 1);
  line->addWidget(&m_appliesWhileMoved);
  line->addWidget(&m_preview);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addLayout(line);
  layout->addWidget(&m_fault);
}

void SettingEditor::setRow(const std::optional<SettingRow>& row, ConnectionId of) {
  const bool isSame = row && m_row && row->key == m_row->key && of == m_of;
  m_row = row;
  m_of = of;
  if (!isSame) startOver();
  const bool hasSlider = row && row->option && hasSliderRange(*row->option);
  m_slider.setVisible(hasSlider);
  m_appliesWhileMoved.setVisible(hasSlider);
  check();
}

void SettingEditor::startOver() {
  m_name.setText(m_row ? toQString(m_row->key) : QStringLiteral("Choose a setting"));
  m_field.setText(m_row && m_row->canChange ? m_row->typed : QString());
  m_field.setCursorPosition(0);
  m_appliesWhileMoved.setChecked(false);
  if (m_row && m_row->option) showOnSlider(*m_row->option, m_row->value);
}

void SettingEditor::showOnSlider(SocketOption option, const std::optional<OptionValue>& value) {
  if (!hasSliderRange(option)) return;
  const auto position = value ? positionOf(option, *value) : std::nullopt;
  const QSignalBlocker quiet(m_slider);
  // What has no end stands at the end.
  m_slider.setValue(static_cast<int>(std::lround(position.value_or(1.0) * kSliderSteps)));
}

void SettingEditor::takeTyped(const QString& text) {
  if (!m_row) return;
  if (const auto value = typedOption(*m_row, text)) showOnSlider(*m_row->option, value);
}

void SettingEditor::allow(const Allowed& allowed) {
  if (m_allowed == allowed) return;
  m_allowed = allowed;
  check();
}

void SettingEditor::takeFromSlider(int position) {
  if (!m_row || !m_row->option) return;
  const OptionValue value = optionAt(*m_row->option, static_cast<double>(position) / kSliderSteps);
  m_field.setText(typedValue(*m_row->option, value));
  if (!m_appliesWhileMoved.isChecked() || !m_allowed.slides) return;
  if (const auto change = typedChange(*m_row, m_field.text())) emit applyRequested(*change);
}

void SettingEditor::check() {
  const bool canChange = m_allowed.isLive && m_row && m_row->canChange;
  m_field.setEnabled(canChange && m_allowed.previews);
  for (QWidget* part : std::initializer_list<QWidget*>{&m_slider, &m_appliesWhileMoved}) {
    part->setEnabled(canChange && m_allowed.slides);
  }
  const bool isEmpty = m_field.text().trimmed().isEmpty();
  QString fault;
  if (canChange && !isEmpty) {
    if (const auto change = typedChange(*m_row, m_field.text()); !change) fault = change.error();
  }
  m_fault.setText(fault);
  m_fault.setVisible(!fault.isEmpty());
  m_preview.setEnabled(canChange && m_allowed.previews && !isEmpty && fault.isEmpty());
  colorField();
}

void SettingEditor::colorField() {
  EntryState state = EntryState::good;
  if (!m_fault.text().isEmpty()) state = EntryState::wrong;
  if (!m_field.isEnabled() || m_field.text().trimmed().isEmpty()) state = EntryState::neutral;
  QPalette colors = palette();
  colors.setColor(QPalette::Base, entryBackground(state, appearanceOf(palette())));
  m_field.setPalette(colors);
}

void SettingEditor::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) colorField();
}

}  // namespace tcpscope
