// The window's door to check-ups: reads this host's /sys and /proc on the background queue when it is asked to, and
// probes a path on another, so that nothing waits for it. Hosts behind ssh are RemoteChecker's.
#pragma once

#include <functional>
#include <future>
#include <optional>

#include "app/desktop/remote_checker.h"
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
  CheckRemoteHost checkRemoteHost{};

  static CheckupSources ofThisHost(std::function<std::optional<RemoteHost>(PlaceId)> remoteHost);
};

class HostChecker final : public CheckupPort {
public:
  explicit HostChecker(CheckupSources sources) : m_sources(std::move(sources)), m_remote(m_sources.checkRemoteHost) {}
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
  using Probed = Expected<PathReading, SystemError>;

  void take();
  void takeReading(Reading reading);
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
  RemoteChecker m_remote;
  /// The subject is a connection of the host that it has.
  bool m_isRemote = false;
  // Last: their jobs use the rest.
  BackgroundQueue m_background;
  BackgroundQueue m_prober;
};

}  // namespace tcpscope
