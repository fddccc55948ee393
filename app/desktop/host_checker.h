// The window's door to check-ups: reads this host's /sys and /proc on the background queue when it is asked to, and
// probes a path or has another host checked on a second one, so that nothing waits for it.
#pragma once

#include <functional>
#include <future>
#include <optional>

#include "app/desktop/checkup_process.h"
#include "app/desktop/remote_host.h"
#include "app/session/background_queue.h"
#include "core/base/system_error.h"
#include "core/host/process_checks.h"
#include "ui/feed/checkup_port.h"

namespace tcpscope {

/// Where the figures come from.
struct CheckupSources {
  std::function<HostReading()> readHost;
  std::function<Reported<ProcessReading>(std::uint32_t)> readProcess;
  std::function<Expected<PathReading, SystemError>(const IpAddress&, const std::stop_token&)> probePath;
  /// Is it this host, in this process's network namespace?
  std::function<bool(const Place&)> isOwnPlace;
  /// Nothing for a place that is no host behind ssh.
  std::function<std::optional<RemoteHost>(PlaceId)> remoteHost{};
  /// Blocks until the host behind this address has checked itself; fails with a sentence.
  CheckThere checkThere{};

  static CheckupSources ofThisHost(std::function<std::optional<RemoteHost>(PlaceId)> remoteHost);
};

class HostChecker final : public CheckupPort {
public:
  explicit HostChecker(CheckupSources sources) : m_sources(std::move(sources)) {}
  HostChecker(const HostChecker&) = delete;
  HostChecker& operator=(const HostChecker&) = delete;
  ~HostChecker() override = default;

  void poll(const std::optional<CheckupSubject>& subject) override;
  void probe(const IpAddress& remote) override;
  void restart() override;
  [[nodiscard]] std::shared_ptr<const HostCheckupState> state() override;

private:
  struct ProgramReading {
    std::uint32_t pid = 0;
    Reported<ProcessReading> reported;
  };
  struct Reading {
    HostReading host;
    std::optional<ProgramReading> program;
  };
  /// A host behind ssh: checked once, and again on request.
  struct There {
    RemoteHost host;
    IpAddress remote;
    std::optional<std::uint32_t> pid;
    std::optional<Expected<HostCheckup, std::string>> checked{};
    /// The process and the peer's path that are in it.
    CheckupOrder order{};
    std::string probeError{};
  };
  using Probed = Expected<PathReading, SystemError>;

  void take();
  void takeReading(Reading reading);
  void takeChecked(Expected<HostCheckup, std::string> checked);
  void pollThere(RemoteHost host, const CheckupSubject& subject);
  void checkThere(const std::optional<IpAddress>& probed);
  [[nodiscard]] HostCheckupState stateThere() const;
  void addProgram(std::vector<CheckRow>& rows, const std::optional<ProgramReading>& after);

  CheckupSources m_sources;
  /// Absent where the subject is not of this host.
  std::optional<CheckupSubject> m_subject;
  std::optional<HostReading> m_first;
  std::optional<ProgramReading> m_firstOfProgram;
  HostCheckupState m_state;
  bool m_isKnown = false;
  std::future<Reading> m_pending;
  std::optional<IpAddress> m_probed;
  std::optional<Probed> m_path;
  std::future<Probed> m_probing;
  /// The last subject's that was behind ssh.
  std::optional<There> m_there;
  /// The subject is a connection of that host.
  bool m_isThere = false;
  std::future<Expected<HostCheckup, std::string>> m_checking;
  /// Of a check that still runs: the host behind ssh, and what was asked of it.
  std::string m_checkedAddress;
  CheckupOrder m_order;
  // Last: their jobs use the rest.
  BackgroundQueue m_background;
  BackgroundQueue m_prober;
  BackgroundQueue m_elsewhere;
};

}  // namespace tcpscope
