#include "ui/views/connection_list/filter_edit.h"

#include <QCoreApplication>
#include <QEvent>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QStyle>
#include <QTextCharFormat>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

/// Long enough for the next key, short enough to feel immediate.
constexpr Milliseconds kTypingPause{150};
constexpr qsizetype kMostRemembered = 30;

}  // namespace

FilterEdit::FilterEdit(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addWidget(&m_edit);
  auto* line = new QHBoxLayout;
  line->addWidget(&m_message, 1);
  line->addWidget(&m_clear, 0, Qt::AlignTop);
  layout->addLayout(line);
  m_clear.setText(QStringLiteral("Show all connections"));
  m_clear.hide();
  connect(&m_clear, &QToolButton::clicked, this, [this] { setText({}); });
  m_edit.installEventFilter(this);
  connect(&m_edit, &QLineEdit::editingFinished, this, [this] {
    remember();
    m_place = !m_history.isEmpty() && m_edit.text().trimmed() == m_history.first() ? 0 : -1;
  });
  connect(&m_edit, &QLineEdit::textEdited, this, [this] { m_place = -1; });
  m_edit.setPlaceholderText(
      QStringLiteral("Filter, as for ss:  dport = :443 and dst 10/8    rtt > 50ms    limit = receiver    "
                     "process ~ postgres"));
  m_edit.setClearButtonEnabled(true);
  m_edit.setAccessibleName(QStringLiteral("Connection filter"));
  m_edit.setToolTip(toolTipText(QStringLiteral(
      "ss expressions: state, sport, dport, src, dst with and, or, not and parentheses.\ntcpscope's own fields: rtt > "
      "50ms, limit = receiver, process ~ postgres, user = www-data, cc = cubic, pid = 1, and the key of any "
      "variable.\nThe arrow keys bring earlier filters back.\nGreen: the filter matches. Yellow: it matches nothing or "
      "is incomplete. Red: syntax error.")));
  m_message.setTextFormat(Qt::PlainText);
  m_message.setWordWrap(true);
  m_message.hide();
  m_delay.setSingleShot(true);
  connect(&m_edit, &QLineEdit::textChanged, this, &FilterEdit::parse);
  connect(&m_delay, &QTimer::timeout, this, [this] { emit filterChanged(m_filter); });
}

void FilterEdit::parse() {
  const std::string text = m_edit.text().toStdString();
  if (text.empty()) m_place = -1;
  const auto parsed = ConnectionFilter::parse(text);
  m_parses = parsed.has_value();
  if (!m_parses) {
    m_delay.stop();
    const bool incomplete = parsed.error().kind == FilterError::Kind::unexpectedEnd;
    markError(incomplete ? std::nullopt : std::optional(parsed.error().position));
    show(incomplete ? EntryState::incomplete : EntryState::wrong,
         toQString(forPlainText(sentence(parsed.error(), text))));
    return;
  }
  m_filter = *parsed;
  m_filtering = m_filter.root() != nullptr;
  markError(std::nullopt);
  show(m_filtering ? EntryState::good : EntryState::neutral, {});
  m_delay.start(kTypingPause);
}

void FilterEdit::setHistory(const QStringList& history) {
  m_history.clear();
  for (const QString& text : history) {
    const bool isFilter = !text.isEmpty() && ConnectionFilter::parse(text.toStdString()).has_value();
    if (isFilter && !m_history.contains(text) && m_history.size() < kMostRemembered) m_history << text;
  }
  m_place = -1;
}

QStringList FilterEdit::history() const {
  QStringList filters = m_history;
  const QString text = m_edit.text().trimmed();
  if (!m_parses || text.isEmpty()) return filters;
  filters.removeAll(text);
  filters.prepend(text);
  return filters.first(std::min(filters.size(), kMostRemembered));
}

void FilterEdit::goBack(int steps) {
  const qsizetype place = std::clamp<qsizetype>(m_place + steps, -1, m_history.size() - 1);
  if (place == m_place) return;
  if (m_place < 0) m_typed = m_edit.text();
  m_edit.setText(place < 0 ? m_typed : m_history[place]);
  m_place = place;
}

bool FilterEdit::eventFilter(QObject* watched, QEvent* event) {
  if (watched == &m_edit && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
      goBack(key == Qt::Key_Up ? 1 : -1);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void FilterEdit::setMatches(std::size_t shown, std::size_t total) {
  if (!m_parses || !m_filtering || m_delay.isActive()) return;
  const bool hidesAll = shown == 0 && total > 0;
  if (hidesAll)
    show(EntryState::incomplete, QStringLiteral("No connection matches this filter: it hides all %1.").arg(total));
  else
    show(EntryState::good, {});
  m_clear.setVisible(hidesAll);
}

void FilterEdit::show(EntryState state, const QString& message) {
  if (m_message.text() != message) m_message.setText(message);
  m_message.setVisible(!message.isEmpty());
  m_edit.setAccessibleDescription(message);
  m_clear.hide();
  m_state = state;
  QPalette colors = palette();
  const Appearance appearance = appearanceOf(colors);
  colors.setColor(QPalette::Base, entryBackground(state, appearance));
  if (m_edit.palette().color(QPalette::Base) != colors.color(QPalette::Base)) m_edit.setPalette(colors);
}

void FilterEdit::markError(std::optional<std::size_t> byte) {
  QList<QInputMethodEvent::Attribute> marks;
  if (byte) {
    const QString text = m_edit.text();
    const auto position = static_cast<int>(QString::fromUtf8(text.toUtf8().left(static_cast<qsizetype>(*byte))).size());
    qsizetype end = text.indexOf(u' ', position);
    if (end < 0) end = text.size();
    QTextCharFormat format;
    format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    format.setUnderlineColor(severityColor(FindingSeverity::problem, appearanceOf(palette())));
    marks.append(QInputMethodEvent::Attribute(QInputMethodEvent::TextFormat, position - m_edit.cursorPosition(),
                                              std::max(1, static_cast<int>(end) - position), format));
  }
  // An input method event without text is the way in which a line edit takes formats.
  QInputMethodEvent event(QString(), marks);
  QCoreApplication::sendEvent(&m_edit, &event);
}

void FilterEdit::focusField() {
  m_edit.setFocus(Qt::ShortcutFocusReason);
  m_edit.selectAll();
}

void FilterEdit::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    m_edit.setPalette(palette());
    show(m_state, m_message.text());
  }
}

}  // namespace tcpscope
