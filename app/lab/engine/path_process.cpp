#include "app/lab/engine/path_process.h"

#include "app/lab/engine/engine_answers.h"
#include "app/lab/path/loop_clock.h"
#include "app/lab/path/path_log_file.h"
#include "app/lab/path/path_loop.h"
#include "app/lab/scenario/scenario_parser.h"
#include "collectors/pcap/capture_writer.h"

namespace tcpscope::lab {

namespace {

/// Headers with every option, and no data.
constexpr Bytes kSnapLength{160};

ClockPair bothClocks() {
  const auto wall = std::chrono::system_clock::now().time_since_epoch();
  return {pathClock(), WallTime::fromNanoseconds(std::chrono::duration_cast<Nanoseconds>(wall).count())};
}

class ControlledPath final : public PathOwner {
public:
  ControlledPath(const PathSettings& settings, int control, int log, std::span<const OwnedDescriptor> captures)
      : m_settings(settings), m_control(control), m_log(log) {
    for (const OwnedDescriptor& capture : captures) {
      const std::size_t number = m_captures.size();
      const std::string name = number < settings.hosts.size() ? settings.hosts[number].name : "middle";
      m_captures.emplace_back(capture.get(), LinkType::rawIp, name, kSnapLength);
    }
  }

  void happened(const PathEvent& event) override { m_log.append(event); }

  void passed(std::size_t host, std::span<const std::uint8_t> packet, Moment at) override {
    if (!m_captures.empty()) m_captures[host].write(m_clocks.wallAt(at), std::as_bytes(packet));
  }

  void passedMiddle(std::span<const std::uint8_t> packet, Moment at) override {
    if (m_captures.size() > m_settings.hosts.size())
      m_captures.back().write(m_clocks.wallAt(at), std::as_bytes(packet));
  }

  void counted(const PathReport& report) override {
    m_log.flush();
    for (CaptureWriter& capture : m_captures) capture.flush();
    for (; m_reportsWanted > 0; --m_reportsWanted) answer(encode(PathAnswer{report, m_log.lost()}));
  }

  [[nodiscard]] int wakeDescriptor() const override { return m_control; }

  std::optional<PathSettings> takeRequest() override {
    const auto message = receiveMessage(m_control, Milliseconds(0));
    if (!message) return message.error() == ETIMEDOUT ? std::optional(m_settings) : std::nullopt;
    const auto kind = kindOf(message->bytes);
    if (kind == MessageKind::askReport) ++m_reportsWanted;
    if (kind == MessageKind::change) takeChange(message->bytes.substr(sizeof(MessageKind)));
    return m_settings;
  }

private:
  void takeChange(const std::string& text) {
    const auto scenario = parseScenario(text);
    if (!scenario) {
      return answer(encode(LabError{LabErrorKind::setUpFailed, EINVAL, UntrustedText("the path's new settings")}));
    }
    m_settings = scenario->path;
    answer(MessageWriter(MessageKind::done));
  }

  /// An owner that does not read its answers loses them: the path never waits.
  void answer(const MessageWriter& message) const { static_cast<void>(sendMessage(m_control, message)); }

  PathSettings m_settings;
  int m_control;
  PathLogWriter m_log;
  ClockPair m_clocks = bothClocks();
  /// One a host and one for the middle, or without that, or none.
  std::vector<CaptureWriter> m_captures;
  std::size_t m_reportsWanted = 0;
};

}  // namespace

int runPathProcess(const Scenario& scenario, const std::vector<HostNamespace>& hosts, int control, int log,
                   std::span<const OwnedDescriptor> captures) {
  std::vector<PathPort> ports;
  ports.reserve(hosts.size());
  for (const HostNamespace& host : hosts) ports.push_back(host.port());
  ControlledPath owner(scenario.path, control, log, captures);
  return runPathLoop(scenario.path, ports, owner);
}

}  // namespace tcpscope::lab
