// What the program offers the interface beyond the session itself: one pointer per port, null where it is not
// available.
//
// They are handed over once, when the window is made; the order does not matter. Every port outlives the window.
#pragma once

namespace tcpscope {

class CapturePort;
class ChangePort;
class CheckupPort;
class DemoPort;
class FilePort;
class HostPort;
class PathHistoryPort;
class ProbePort;
class RecordPort;
class ReplayPort;
class ReportPort;

struct Ports {
  CapturePort* captures = nullptr;
  RecordPort* recordings = nullptr;
  ReplayPort* replay = nullptr;
  ReportPort* reports = nullptr;
  DemoPort* demos = nullptr;
  HostPort* hosts = nullptr;
  /// Of the advice; `settings`: of the list of settings, which has changes of its own.
  ChangePort* changes = nullptr;
  ChangePort* settings = nullptr;
  CheckupPort* checkups = nullptr;
  PathHistoryPort* paths = nullptr;
  ProbePort* probes = nullptr;
  FilePort* files = nullptr;
};

}  // namespace tcpscope
