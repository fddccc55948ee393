// A change of the host in four steps: preview, apply, measure, keep or undo.
//
// Polls the port ten times a second. Hidden without a request; a change on trial stays visible whatever is selected.
#pragma once

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <QWidget>
#include <array>

#include "core/session/change_proof.h"
#include "ui/feed/change_port.h"
#include "ui/plots/trace_record.h"
#include "ui/views/view.h"

namespace tcpscope {

class RatePlot;
class SteadyList;

/// What a change is expected to do.
struct ChangeExpectation {
  Reach reach = Reach::live;
  QString forecast;
};
ChangeExpectation expectationOf(const Remedy& remedy);

/// Where a small screen has no room for all of it, all but the buttons scrolls.
class ChangePanel : public QWidget {
  Q_OBJECT
public:
  /// `port` and what the context refers to outlive the panel.
  ChangePanel(ChangePort& port, const ViewContext& context, QWidget* parent = nullptr);

  /// Previews the request, whose effect is measured on this connection.
  void preview(const HostChangeRequest& request, const ChangeExpectation& expected, ConnectionId connection);
  void setSnapshot(const SnapshotPointer& snapshot);
  /// Polls the port now.
  void poll();
  /// As of the last poll nothing is on trial or in progress.
  [[nodiscard]] bool canBegin() const;

  [[nodiscard]] QString headline() const { return m_headline.text(); }
  [[nodiscard]] QString proof() const { return m_proofText.text(); }
  /// The error; empty if there is none.
  [[nodiscard]] QString notice() const { return m_notice.text(); }
  /// The command that the notice advises to run; empty if there is none.
  [[nodiscard]] QString lineByHand() const { return m_byHand.text(); }

signals:
  /// Emitted when the panel appears or disappears.
  void shown(bool isShown);
  /// After each poll.
  void polled();

private:
  void buildLayout();
  void showState(const HostChangeState& state);
  void showButtons(const HostChangeState& state);
  void showStep(const HostChangeState& state);
  void showProof();
  void showRates();
  /// Rates before and since the change were compared.
  [[nodiscard]] bool isCompared() const;
  /// Null where nothing is measured, or what is measured is not known yet.
  [[nodiscard]] std::shared_ptr<const ConnectionDetail> measuredDetail() const;
  void beginProof();
  /// Marks in the session the options whose value differs from the one last shown.
  void markOptions(const std::vector<HostChangeRow>& rows);
  [[nodiscard]] QString headlineOf(const HostChangeState& state) const;

  ChangePort& m_port;
  ViewContext m_context;
  QTimer m_timer;
  SnapshotPointer m_snapshot;
  HostChangePhase m_phase = HostChangePhase::none;
  /// Rows with the last known values.
  std::vector<HostChangeRow> m_shownRows;
  SettingKind m_kind = SettingKind::sysctl;
  ConnectionId m_connection;
  /// Display name of the host, and of the connection where there is one.
  QString m_place;
  Reach m_reach = Reach::live;
  QString m_forecast;
  std::optional<ChangeProof> m_proof;
  /// Of the connection that shows the effect.
  TraceRecord m_record;
  Moment m_changedAt;
  Side m_side = Side::sending;
  /// The session follows a connection for this panel.
  bool m_follows = false;
  Moment m_provedAt;
  std::array<QLabel, 4> m_steps;
  QLabel m_headline;
  QLabel m_expectation;
  QLabel m_notes;
  QLabel m_proofText;
  QLabel m_notice;
  QLabel m_byHand;
  SteadyList* m_rows;
  RatePlot* m_rates;
  QCheckBox m_persist;
  QPushButton m_apply;
  QPushButton m_keep;
  QPushButton m_undo;
  QPushButton m_refresh;
  QPushButton m_copy;
  QPushButton m_close;
};

}  // namespace tcpscope
