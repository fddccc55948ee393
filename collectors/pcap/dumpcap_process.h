// dumpcap as a child process: captures where only that program has the right to, and writes pcapng into a descriptor.
//
// The program is found by PATH. Whether it may be run, and may capture, shows by what it writes: nothing where not.
// The destructor ends it.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "collectors/pcap/live_capture.h"

namespace tcpscope {

struct DumpcapSettings {
  LiveCaptureSettings capture;
  std::string program = "dumpcap";
  /// Ends automatically after this many whole seconds; 0 for never.
  std::uint32_t seconds = 0;
  /// What it has to say about its own failure goes nowhere.
  bool isQuiet = false;
};

class DumpcapProcess {
public:
  /// Null where there is no such program, or it may not be run. `output` stays the caller's.
  static std::unique_ptr<DumpcapProcess> start(const DumpcapSettings& settings, int output);
  ~DumpcapProcess();
  DumpcapProcess(const DumpcapProcess&) = delete;
  DumpcapProcess& operator=(const DumpcapProcess&) = delete;

  /// Asks it to write its last block, with the count of drops, and to end.
  void interrupt() const;
  /// Waits for its end; did it capture to that?
  bool wait();

private:
  explicit DumpcapProcess(pid_t process) : m_process(process) {}

  /// 0 once it was waited for.
  pid_t m_process;
};

}  // namespace tcpscope
