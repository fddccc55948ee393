// A change of the host, step by step: what would happen, do it, what it brought, keep it or undo it.
//
// Looks at the port a few times a second. Hidden while nothing was asked for; what waits to be kept stays in sight
// whatever else is selected.
#pragma once

#include <QCheckBox>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QTimer>
#include <array>

#include "core/session/change_proof.h"
#include "ui/feed/change_port.h"
#include "ui/views/view.h"

namespace tcpscope {

class SteadyList;

class ChangePanel : public QFrame {
  Q_OBJECT
public:
  /// `port` outlives the panel, as what the context names does.
  ChangePanel(ChangePort& port, const ViewContext& context, QWidget* parent = nullptr);

  /// Shows what would happen for this remedy's sake, for that of this connection.
  void preview(const HostChangeRequest& wish, const Remedy& remedy, ConnectionId connection);
  void setSnapshot(const SnapshotPointer& snapshot);
  /// Looks at the port now.
  void poll();

  [[nodiscard]] QString headline() const { return m_headline.text(); }
  [[nodiscard]] QString proof() const { return m_proofText.text(); }
  /// What went wrong; empty for nothing.
  [[nodiscard]] QString notice() const { return m_notice.text(); }
  /// What the notice advises to run by hand; empty for nothing.
  [[nodiscard]] QString lineByHand() const { return m_byHand.text(); }

signals:
  /// It has something to show since now, or no more.
  void shown(bool isShown);

private:
  void buildLayout();
  void showState(const HostChangeState& state);
  void showButtons(const HostChangeState& state);
  void showStep(const HostChangeState& state);
  void showProof();
  void beginProof();
  /// Tells the session which options are others than when they were last shown.
  void markOptions(const std::vector<HostChangeRow>& rows);
  [[nodiscard]] QString headlineOf(const HostChangeState& state) const;

  ChangePort& m_port;
  ViewContext m_context;
  QTimer m_timer;
  SnapshotPointer m_snapshot;
  HostChangePhase m_phase = HostChangePhase::none;
  /// As last known.
  std::vector<HostChangeRow> m_shownRows;
  SettingKind m_kind = SettingKind::sysctl;
  ConnectionId m_connection;
  /// Where it is, for people.
  QString m_place;
  Reach m_reach = Reach::live;
  /// What it should bring.
  QString m_forecast;
  std::optional<ChangeProof> m_proof;
  Moment m_provedAt;
  std::array<QLabel, 4> m_steps;
  QLabel m_headline;
  QLabel m_expectation;
  QLabel m_notes;
  QLabel m_proofText;
  QLabel m_notice;
  QLabel m_byHand;
  SteadyList* m_rows;
  QCheckBox m_persist;
  QPushButton m_apply;
  QPushButton m_keep;
  QPushButton m_undo;
  QPushButton m_lookAgain;
  QPushButton m_copy;
  QPushButton m_close;
};

}  // namespace tcpscope
