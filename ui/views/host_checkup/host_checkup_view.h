// What of this host stands in TCP's way, layer by layer, the lower ones first. It is about the machine that tcpscope
// runs on, whatever connection is selected.
//
// Reads the host once a second while it can be seen.
#pragma once

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTimer>

#include "ui/feed/checkup_port.h"
#include "ui/views/view.h"

namespace tcpscope {

class SteadyList;

class HostCheckupView : public View {
  Q_OBJECT
public:
  explicit HostCheckupView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer&) override {}
  void setSelection(const Selection&) override {}
  void offerCheckups(CheckupPort& port) override;

  /// Reads again, and shows what is known.
  void poll();
  [[nodiscard]] QString headline() const { return m_headline.text(); }
  [[nodiscard]] QString advice() const { return m_advice.toPlainText(); }

protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  void buildLayout();
  void showState(const HostCheckupState& state);

  /// Null where nobody looks at the host.
  CheckupPort* m_port = nullptr;
  QTimer m_timer;
  QLabel m_headline;
  SteadyList* m_rows;
  QPlainTextEdit m_advice;
  QPushButton m_anew;
};

}  // namespace tcpscope
