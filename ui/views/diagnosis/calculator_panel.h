// Window, rate, loss and MTU by the equations of the diagnosis, with figures that begin as those of the selected
// connection and that a person may replace.
#pragma once

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QWidget>
#include <array>

#include "core/present/text/calculator_text.h"

namespace tcpscope {

class SteadyList;

class CalculatorPanel : public QWidget {
  Q_OBJECT
public:
  explicit CalculatorPanel(QWidget* parent = nullptr);

  [[nodiscard]] bool isOpen() const { return m_toggle.isChecked(); }
  void setOpen(bool open) { m_toggle.setChecked(open); }

  /// Begins with the figures of another connection: what was typed is gone.
  void startWith(const StatedFigures& figures);
  /// Begins with the figures of the connection's other direction: what was typed stays.
  void turnTo(const StatedFigures& figures);
  /// The newest figures of the same connection. A field takes them over only while it is empty and nothing was typed
  /// into it; the others on request.
  void setCurrent(const StatedFigures& figures);

  [[nodiscard]] QLineEdit& field(CalculatorField field) { return m_fields[static_cast<std::size_t>(field)]; }
  [[nodiscard]] QPushButton& useCurrent() { return m_useCurrent; }
  [[nodiscard]] const SteadyList& results() const { return *m_results; }
  /// What is wrong with a typed figure; empty where nothing is.
  [[nodiscard]] QString fault() const { return m_fault.text(); }

signals:
  /// By the user.
  void opened(bool open);

protected:
  void changeEvent(QEvent* event) override;

private:
  void buildLayout();
  void fill(CalculatorField field, const StatedFigures& figures);
  void calculate();
  void fitResults();

  StatedFigures m_current;
  std::array<QLineEdit, kCalculatorFields.size()> m_fields;
  std::array<bool, kCalculatorFields.size()> m_typed{};
  QToolButton m_toggle;
  QWidget* m_content;
  QPushButton m_useCurrent;
  SteadyList* m_results;
  QLabel m_fault;
};

}  // namespace tcpscope
