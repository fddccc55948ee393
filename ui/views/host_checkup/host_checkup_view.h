// Problems of a host that limit TCP, layer by layer, the lower ones first. It checks the host of the selected
// connection where that is behind ssh, else the one that tcpscope runs on; for a selected connection there also its
// process and, on request, the path to its peer.
//
// Reads this host once a second while it can be seen; another one checks itself once, and again on request.
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

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection&) override {}

  /// Reads again, and shows what is known.
  void poll();
  [[nodiscard]] QString headline() const { return m_headline.text(); }
  /// That it is not about the machine of the file that is shown; empty where live hosts are.
  [[nodiscard]] QString whose() const { return m_whose.text(); }
  [[nodiscard]] QString advice() const { return m_advice.toPlainText(); }

protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  [[nodiscard]] CheckupPort* port() const { return context().ports.checkups; }
  void buildLayout();
  void showState(const HostCheckupState& state);

  /// What of the selected connection concerns the check-up; absent while none is selected.
  [[nodiscard]] std::optional<CheckupSubject> subject() const;
  void showProbing(const HostCheckupState& state);
  [[nodiscard]] QString headlineOf(const HostCheckupState& state) const;

  SnapshotPointer m_snapshot;
  /// The host that the button probes.
  std::optional<IpAddress> m_reachable;
  QTimer m_timer;
  QLabel m_headline;
  QLabel m_whose;
  SteadyList* m_rows;
  QPlainTextEdit m_advice;
  QPushButton m_probe;
  QPushButton m_resetCounters;
};

}  // namespace tcpscope
