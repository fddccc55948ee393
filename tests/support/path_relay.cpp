#include "tests/support/path_relay.h"

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <memory>
#include <utility>

#include "app/lab/path/path_log_file.h"
#include "app/lab/path/path_loop.h"

namespace tcpscope::test {

namespace {

constexpr std::size_t kMostLinks = 64;

Nanoseconds toNanoseconds(const timeval& time) {
  return std::chrono::seconds(time.tv_sec) + Microseconds(time.tv_usec);
}

}  // namespace

/// A report without pointers: the links apart from the rest.
struct PathRelay::Shared {
  std::size_t links = 0;
  std::array<lab::LinkCounters, kMostLinks> counters;
  Count unrouted;
  std::optional<Count> deviceDrops;
  std::array<Nanoseconds, 4> lateness{};
  Nanoseconds observed{0};
  Nanoseconds waitedForProcessor{0};

  void fill(const lab::PathReport& report) {
    links = std::min(report.links.size(), kMostLinks);
    for (std::size_t link = 0; link < links; ++link) counters.at(link) = report.links[link].counters;
    unrouted = report.unrouted;
    deviceDrops = report.deviceDrops;
    lateness = {report.worstLateness, report.lateness999, report.lateness99, report.lateness50};
    observed = report.observed;
    waitedForProcessor = report.waitedForProcessor;
  }
  [[nodiscard]] lab::PathReport report() const {
    lab::PathReport report;
    for (std::size_t link = 0; link < links; ++link) report.links.push_back({"", counters.at(link)});
    report.unrouted = unrouted;
    report.deviceDrops = deviceDrops;
    report.worstLateness = lateness[0];
    report.lateness999 = lateness[1];
    report.lateness99 = lateness[2];
    report.lateness50 = lateness[3];
    report.observed = observed;
    report.waitedForProcessor = waitedForProcessor;
    return report;
  }
};

namespace {

/// Keeps the log; ends at the first wake.
template <class Shared>
class RelayOwner final : public lab::PathOwner {
public:
  RelayOwner(int log, int wake, Shared& shared, PassedPacket passed)
      : m_log(log), m_wake(wake), m_shared(shared), m_passed(std::move(passed)) {}

  void happened(const lab::PathEvent& event) override {
    m_log.append(event);
    m_log.flush();
  }
  void passed(std::size_t host, std::span<const std::uint8_t> packet, Moment /*at*/) override {
    if (m_passed) m_passed(host, packet);
  }
  void counted(const lab::PathReport& report) override { m_shared.fill(report); }
  [[nodiscard]] int wakeDescriptor() const override { return m_wake; }
  std::optional<lab::PathSettings> takeRequest() override { return std::nullopt; }

private:
  lab::PathLogWriter m_log;
  int m_wake;
  Shared& m_shared;
  PassedPacket m_passed;
};

}  // namespace

lab::DuplexSettings bothWays(const lab::LinkSettings& link) {
  return {link, link};
}

lab::PathSettings betweenTwoHosts(const lab::DuplexSettings& path) {
  lab::PathSettings settings;
  settings.path = path;
  settings.hosts = {{"sender", lab::PathSide::left, {}}, {"receiver", lab::PathSide::right, {}}};
  return settings;
}

PathRelay::PathRelay(std::span<const NetworkHost* const> hosts, const lab::PathSettings& settings, PassedPacket passed)
    : m_log(memfd_create("path log", MFD_CLOEXEC)), m_wake(eventfd(0, EFD_CLOEXEC)) {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  m_shared = new (memory) Shared;
  m_process = fork();
  if (m_process != 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::vector<lab::PathPort> ports;
  for (const NetworkHost* host : hosts) {
    lab::PathPort port;
    port.descriptor = host->tunDescriptor();
    ports.push_back(port);
  }
  auto owner = std::make_unique<RelayOwner<Shared>>(m_log, m_wake, *m_shared, std::move(passed));
  const int failure = lab::runPathLoop(settings, ports, *owner);
  owner.reset();
  _exit(failure == 0 ? 0 : 1);
}

PathRelay::~PathRelay() {
  endChild(m_process);
  munmap(m_shared, sizeof(Shared));
  close(m_log);
  close(m_wake);
}

std::vector<lab::PathEvent> PathRelay::events() const {
  return lab::readPathLog(m_log);
}

RelayResult PathRelay::stop() {
  eventfd_write(m_wake, 1);
  rusage usage{};
  wait4(std::exchange(m_process, -1), nullptr, 0, &usage);
  return {m_shared->report(), toNanoseconds(usage.ru_utime) + toNanoseconds(usage.ru_stime)};
}

}  // namespace tcpscope::test
