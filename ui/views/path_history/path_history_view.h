// The history of the paths to other networks, and the buffers for the next connection. The path of the
// selected connection is described below, until another one is chosen.
//
// Asks its port once a second while it can be seen.
#pragma once

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTimer>

#include "ui/feed/path_history_port.h"
#include "ui/views/view.h"

namespace tcpscope {

class SteadyList;

class PathHistoryView : public View {
  Q_OBJECT
public:
  explicit PathHistoryView(const ViewContext& context, QWidget* parent = nullptr);

  void setSnapshot(const SnapshotPointer& snapshot) override;
  void setSelection(const Selection& selection) override;

  /// Asks the port now, and shows what it has.
  void poll();
  [[nodiscard]] QString headline() const { return m_headline.text(); }
  [[nodiscard]] QString description() const { return m_description.toPlainText(); }

protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

private:
  [[nodiscard]] PathHistoryPort* port() const { return context().ports.paths; }
  void buildLayout();
  void followSelection();
  void showState();
  void describeChosen();
  [[nodiscard]] const PathEntry* chosen() const;

  std::shared_ptr<const PathHistoryState> m_state;
  SnapshotPointer m_snapshot;
  /// The selected connection's path is still to be chosen.
  bool m_follows = true;
  QTimer m_timer;
  QLabel m_headline;
  SteadyList* m_rows;
  QPlainTextEdit m_description;
  QPushButton m_forget;
};

}  // namespace tcpscope
