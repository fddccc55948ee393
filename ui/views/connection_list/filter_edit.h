// The field for the connection filter: green where the text is a filter that matches, yellow where it is one that
// matches nothing or is not complete yet, red where it can never become one. A line below says what and where.
//
// A text that parses is handed on a moment after the last key; one that does not leaves the former filter in force. The
// arrow keys bring back the filters that were used before, the newest first.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QStringList>
#include <QTimer>
#include <QToolButton>
#include <QWidget>
#include <optional>

#include "core/filter/connection_filter.h"
#include "ui/theme/theme.h"

namespace tcpscope {

class FilterEdit : public QWidget {
  Q_OBJECT
public:
  explicit FilterEdit(QWidget* parent = nullptr);

  [[nodiscard]] QString text() const { return m_edit.text(); }
  void setText(const QString& text) { m_edit.setText(text); }
  /// How many of how many connections the filter in force lets through.
  void setMatches(std::size_t shown, std::size_t total);
  [[nodiscard]] EntryState state() const { return m_state; }
  [[nodiscard]] QString message() const { return m_message.text(); }
  /// Is a filter in force, as opposed to "everything"?
  [[nodiscard]] bool isFiltering() const { return m_filtering; }
  /// The last text that parsed.
  [[nodiscard]] const ConnectionFilter& filter() const { return m_filter; }
  void focusField();
  /// Filters that were used, the one in force included, the newest first, each once.
  [[nodiscard]] QStringList history() const;
  void setHistory(const QStringList& history);
  [[nodiscard]] QToolButton& clearButton() { return m_clear; }

signals:
  void filterChanged(const tcpscope::ConnectionFilter& filter);

protected:
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void parse();
  void remember() { m_history = history(); }
  /// To an older filter, or with a negative number to a newer one; behind the newest is what was typed.
  void goBack(int steps);
  void show(EntryState state, const QString& message);
  /// Underlines from the position of an error to the end of the word; clears the mark where there is none.
  void markError(std::optional<std::size_t> byte);

  QLineEdit m_edit;
  QLabel m_message;
  /// Beside the message that nothing matches.
  QToolButton m_clear;
  QStringList m_history;
  /// Which of them the field has; -1 for what was typed.
  qsizetype m_place = -1;
  QString m_typed;
  QTimer m_delay;
  ConnectionFilter m_filter;
  EntryState m_state = EntryState::neutral;
  bool m_parses = true;
  bool m_filtering = false;
};

}  // namespace tcpscope
