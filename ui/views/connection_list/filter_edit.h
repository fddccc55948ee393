// The field for the connection filter: green where the text is a filter that matches, yellow where it is one that
// matches nothing or is not complete yet, red where it can never become one. A line below says what and where.
//
// A text that parses is handed on a moment after the last key; one that does not leaves the former filter in force.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QTimer>
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

signals:
  void filterChanged(const tcpscope::ConnectionFilter& filter);

protected:
  void changeEvent(QEvent* event) override;

private:
  void parse();
  void show(EntryState state, const QString& message);
  /// Underlines from the position of an error to the end of the word; clears the mark where there is none.
  void markError(std::optional<std::size_t> byte);

  QLineEdit m_edit;
  QLabel m_message;
  QTimer m_delay;
  ConnectionFilter m_filter;
  EntryState m_state = EntryState::neutral;
  bool m_parses = true;
  bool m_filtering = false;
};

}  // namespace tcpscope
