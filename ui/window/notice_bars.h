// The bars above the connection list, in their order from top to bottom: lost hosts, report, recording, opened file,
// demo, replay; and that of the live capture, which stands below the views. Each hides while there is nothing to
// report.
//
// A bar exists if its port is available; the live capture needs none, it works through the control.
#pragma once

#include <QWidget>

#include "ui/feed/control_state.h"
#include "ui/feed/ports.h"
#include "ui/window/capture_bar.h"
#include "ui/window/demo_bar.h"
#include "ui/window/hosts_bar.h"
#include "ui/window/live_capture_bar.h"
#include "ui/window/record_bar.h"
#include "ui/window/replay_bar.h"
#include "ui/window/report_bar.h"

namespace tcpscope {

class NoticeBars : public QWidget {
public:
  NoticeBars(const Ports& ports, ControlState& control, QWidget* parent = nullptr);

  /// Null without the port.
  [[nodiscard]] ReportBar* report() const { return m_report; }
  [[nodiscard]] RecordBar* record() const { return m_record; }
  [[nodiscard]] CaptureBar* capture() const { return m_capture; }
  [[nodiscard]] DemoBar* demo() const { return m_demo; }
  [[nodiscard]] ReplayBar* replay() const { return m_replay; }
  [[nodiscard]] LiveCaptureBar& liveCapture() const { return *m_liveCapture; }

private:
  HostsBar* m_hosts = nullptr;
  ReportBar* m_report = nullptr;
  RecordBar* m_record = nullptr;
  CaptureBar* m_capture = nullptr;
  DemoBar* m_demo = nullptr;
  ReplayBar* m_replay = nullptr;
  LiveCaptureBar* m_liveCapture;
};

}  // namespace tcpscope
