// What the window does when the scope's trigger fires: a notification, a report, a recording that begins before it, a
// capture of the connection's packets that begins with it.
//
// Files get names of their own in the user's folder of documents: a trigger at night cannot ask. The
// recording is a ring on disk from the moment the trigger is armed; one that never fires leaves no file.
#pragma once

#include <QObject>
#include <QSystemTrayIcon>
#include <optional>
#include <set>
#include <vector>

#include "ui/views/scope/trigger_choice.h"
#include "ui/window/live_capture_bar.h"
#include "ui/window/record_bar.h"
#include "ui/window/report_actions.h"

class QMainWindow;

namespace tcpscope {

class TriggerResponder : public QObject {
  Q_OBJECT
public:
  /// Null where not available. All outlive this.
  struct Parts {
    QMainWindow& window;
    const SnapshotFeed& feed;
    ReportActions* reports;
    RecordBar* recording;
    LiveCaptureBar* capture;
  };

  /// Files go into `folder`; empty for that of documents.
  explicit TriggerResponder(const Parts& parts, const QString& folder = {}, QObject* parent = nullptr);
  ~TriggerResponder() override;

  /// A trigger with these actions is armed in place of the one before; without any where none is.
  void arm(const TriggerActions& actions);
  void respond(const QString& what, ConnectionId connection, const TriggerActions& actions);

  static constexpr std::chrono::seconds kBefore{60};
  static constexpr std::chrono::seconds kAfter{10};
  /// Of the ring, which goes on after the trigger and drops an eighth at a time: so that kBefore is left of it.
  static constexpr std::chrono::seconds kRing{((kBefore + kAfter).count() * 8 + 6) / 7};
  /// Of one trigger, until it is armed again; of captures as many.
  static constexpr int kMostReports = 20;
  /// A connection that was not watched before its trigger is known in full some snapshots later.
  static constexpr Nanoseconds kLongestWait = std::chrono::seconds(5);

private:
  /// A ring that waits for its trigger; one that has met it ends soon.
  enum class Ring : std::uint8_t { none, waiting, ending };

  void notify(const QString& what);
  /// In the status line.
  void say(const QString& what);
  /// The recording is still the ring: the user has neither stopped nor replaced it.
  [[nodiscard]] bool isRing() const;
  void discardWaiting();
  /// Stops the ring that has met its trigger. False where the recording is none of ours.
  bool endRing();
  /// Of what waits, when a snapshot comes.
  void writeReports();
  void capture(ConnectionId connection);
  /// Saves the packets of the capture that the trigger began, unless the user has replaced it.
  void endCapture();
  /// A path that no file has and that was not given before.
  [[nodiscard]] QString newFile(const QString& extension);

  Parts m_parts;
  QString m_folder;
  QSystemTrayIcon m_tray;
  QTimer m_endsRing;
  QTimer m_endsCapture;
  std::uint32_t m_captureNumber = 0;
  int m_captures = 0;
  Ring m_ring = Ring::none;
  QString m_ringPath;
  int m_reports = 0;
  struct WaitingReport {
    QString path;
    ConnectionId connection;
    Moment since;
  };
  std::vector<WaitingReport> m_waiting;
  /// Files are written later than they are named.
  std::set<QString> m_named;
};

}  // namespace tcpscope
