// What every view is: a widget that shows the newest snapshot of the selected connection.
//
// A view computes nothing that core can compute, never waits, and says in words why it is empty. Views are listed in
// the view catalogue; the window knows them only through this class.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "core/session/session_snapshot.h"

namespace tcpscope {

class Selection;
class ControlState;
class Theme;

/// What a view is given at its making; all outlive it.
struct ViewContext {
  Selection& selection;
  ControlState& control;
  Theme& theme;
};

class View : public QWidget {
  Q_OBJECT
public:
  explicit View(QWidget* parent = nullptr) : QWidget(parent) {}

  /// Called for each new snapshot while the view is visible, and once when it becomes visible.
  virtual void setSnapshot(const std::shared_ptr<const SessionSnapshot>& snapshot) = 0;

signals:
  /// Somebody wants this metric as a trace in the scope.
  void openTraceRequested(tcpscope::Metric metric);
  /// Somebody wants this metric as a numeric meter.
  void openMeterRequested(tcpscope::Metric metric);
};

/// The detail of the selected connection; null when none is selected or nothing is known of it yet.
std::shared_ptr<const ConnectionDetail> selectedDetail(const SessionSnapshot* snapshot, const Selection& selection);

}  // namespace tcpscope
