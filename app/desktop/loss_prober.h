// The window's door to probes of a path: runs `tcpscope-cli probe` as a child process and reads its document. The child
// keeps the packets' schedule, whatever the window does, and stops when its standard input ends: with a cancellation,
// and with this program, however that ends.
#pragma once

#include <QElapsedTimer>
#include <QProcess>

#include "ui/feed/probe_port.h"

namespace tcpscope {

class LossProber final : public ProbePort {
public:
  /// `commandLine`: tcpscope-cli.
  explicit LossProber(std::string commandLine) : m_commandLine(std::move(commandLine)) {}
  /// Nothing is sent any more.
  ~LossProber() override;

  void start(const ProbeRequest& request) override;
  void cancel() override;
  [[nodiscard]] ProbeState state() override;

private:
  void read();
  void finish();
  void fail(std::string notice);
  void stop();

  std::string m_commandLine;
  ProbeState m_state;
  std::string m_output;
  std::string m_errors;
  /// Since the first packet.
  QElapsedTimer m_sending;
  std::unique_ptr<QProcess> m_process;
};

}  // namespace tcpscope
