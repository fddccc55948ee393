// The bar of a live capture: of which connection, its filter to read and to change, what there is
// so far, stop, save, and what to do where it does not work.
//
// Its requests go through the control, their outcome comes with the snapshots.
#pragma once

#include <QAction>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "ui/feed/control_state.h"
#include "ui/feed/snapshot_feed.h"

namespace tcpscope {

class LiveCaptureBar : public QFrame {
  Q_OBJECT
public:
  /// `control` outlives the bar.
  explicit LiveCaptureBar(ControlState& control, QWidget* parent = nullptr);

  /// Captures the packets of this connection and no others from now on, in place of what was captured before.
  void capture(const ConnectionFacts& connection);
  void stop();
  /// Writes what was captured; an existing file is replaced.
  void save(const QString& path);
  /// Ends the capture and discards its packets.
  void close();
  void setSnapshot(const SnapshotPointer& snapshot);

  /// Stop and save, for a menu.
  [[nodiscard]] QList<QAction*> captureActions() { return {&m_stop, &m_save}; }
  [[nodiscard]] QString headline() const { return m_headline.text(); }
  [[nodiscard]] QString notice() const { return m_notice.text(); }
  /// What is wrong with the filter; empty for nothing.
  [[nodiscard]] QString fault() const { return m_fault.text(); }
  [[nodiscard]] QLineEdit& filter() { return m_filter; }

  /// Of the newest capture.
  [[nodiscard]] std::uint32_t number() const { return m_number; }
  [[nodiscard]] bool hasPackets() const { return m_connection && m_state.packets > 0; }
  /// A capture runs, or begins to.
  [[nodiscard]] bool isRunning() const;

protected:
  void changeEvent(QEvent* event) override;

private:
  void buildActions();
  void buildLayout();
  void begin();
  void chooseFile();
  void showState();
  void colorFault();
  [[nodiscard]] QString headlineOf() const;

  ControlState& m_control;
  /// What is captured; the request itself is in the control.
  std::optional<ConnectionFacts> m_connection;
  /// Of the newest request.
  std::uint32_t m_number = 0;
  LiveCaptureState m_state;
  QLabel m_headline;
  QLabel m_fault;
  QLabel m_notice;
  QLineEdit m_filter;
  QLineEdit m_interface;
  QAction m_stop;
  QAction m_save;
  QToolButton m_stopButton;
  QToolButton m_againButton;
  QToolButton m_saveButton;
  QToolButton m_closeButton;
};

}  // namespace tcpscope
