#include "app/lab/engine/lab_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "app/lab/engine/capture_process.h"
#include "app/lab/engine/child_process.h"
#include "app/lab/engine/engine_start.h"
#include "app/lab/engine/path_process.h"
#include "app/lab/host/set_up_error.h"
#include "app/lab/traffic/event_loop.h"
#include "app/lab/traffic/receiving_program.h"
#include "app/lab/traffic/sending_program.h"
#include "app/lab/traffic/traffic_socket.h"
#include "app/remote/run_agent.h"

namespace tcpscope::lab {

namespace {

/// From the last fork to the first packet: every program waits by then.
constexpr Milliseconds kStartMargin{100};

HostSettings settingsOf(const std::string& host, const Scenario& scenario) {
  const auto found =
      std::find_if(scenario.hosts.begin(), scenario.hosts.end(), [&](const auto& one) { return one.name == host; });
  if (found != scenario.hosts.end()) return *found;
  HostSettings settings;
  settings.name = host;
  return settings;
}

/// One program holds every connection of its traffic.
void allowManyDescriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// The traffic is left out for it, and the rest of the scenario runs.
bool isReasonToSkip(const LabError& error) {
  return error.kind == LabErrorKind::noCongestionControl || error.kind == LabErrorKind::optionRefused;
}

}  // namespace

Expected<LabRun, LabError> LabRun::start(const Scenario& scenario, OwnedDescriptor pathControl,
                                         std::span<const OwnedDescriptor> captures) {
  const auto plans = planTraffic(scenario);
  if (!plans) return tl::unexpected(plans.error());
  auto table = TransferTable::make(slotsOf(*plans), scenario.path.hosts.size());
  if (!table) return tl::unexpected(table.error());

  allowManyDescriptors();
  LabRun run(std::move(*table));
  if (auto made = run.makeHosts(scenario); !made) return tl::unexpected(made.error());
  if (auto started = run.startPath(scenario, std::move(pathControl), captures); !started) {
    return tl::unexpected(started.error());
  }
  if (auto started = run.startAgents(scenario); !started) return tl::unexpected(started.error());
  run.m_ready.startedAt = trafficClock() + kStartMargin;
  for (const TrafficPlan& plan : *plans) {
    if (auto started = run.startTraffic(plan); !started) return tl::unexpected(started.error());
  }
  return run;
}

Expected<void, LabError> LabRun::makeHosts(const Scenario& scenario) {
  m_pathNamespace = OwnedDescriptor(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC));
  if (!m_pathNamespace) return setUpError("the path's network namespace");
  for (const AttachedHost& attached : scenario.path.hosts) {
    auto host = HostNamespace::make(m_hosts.size(), settingsOf(attached.name, scenario));
    if (!host) return tl::unexpected(host.error());
    m_hosts.push_back(std::move(*host));
    if (setns(m_pathNamespace.get(), CLONE_NEWNET) != 0) return setUpError("the path's network namespace");
  }
  return {};
}

Expected<void, LabError> LabRun::startPath(const Scenario& scenario, OwnedDescriptor control,
                                           std::span<const OwnedDescriptor> captures) {
  m_pathLog = OwnedDescriptor(memfd_create("lab-path-log", MFD_CLOEXEC));
  if (!m_pathLog) return setUpError("the path's log");
  std::vector<int> keeps = {m_pathLog.get(), control.get()};
  for (const HostNamespace& host : m_hosts) {
    keeps.push_back(host.port().descriptor);
    keeps.push_back(host.port().hostCounters);
  }
  for (const OwnedDescriptor& capture : captures) keeps.push_back(capture.get());
  const auto child = startChild(
      "lab-path", keeps, [&] { return runPathProcess(scenario, m_hosts, control.get(), m_pathLog.get(), captures); });
  if (!child) return tl::unexpected(child.error());
  m_pathProcess = *child;
  return {};
}

Expected<void, LabError> LabRun::startAgents(const Scenario& scenario) {
  for (std::size_t number = 0; number < m_hosts.size(); ++number) {
    std::array<int, 2> frames{};
    std::array<int, 2> requests{};
    if (pipe2(frames.data(), O_CLOEXEC) != 0) return setUpError("a pipe");
    const OwnedDescriptor framesIn(frames[1]);
    AgentEnds ends;
    ends.frames = OwnedDescriptor(frames[0]);
    if (pipe2(requests.data(), O_CLOEXEC) != 0) return setUpError("a pipe");
    const OwnedDescriptor requestsOut(requests[0]);
    ends.requests = OwnedDescriptor(requests[1]);

    AgentSettings settings;
    settings.hostName = scenario.path.hosts[number].name;
    const HostNamespace& host = m_hosts[number];
    if (auto entered = host.enter(); !entered) return entered;
    const auto child = startChild("lab-agent", {framesIn.get(), requestsOut.get()},
                                  [&] { return runAgent(requestsOut.get(), framesIn.get(), settings); });
    if (!child) return tl::unexpected(child.error());
    m_agents.push_back(std::move(ends));
  }
  return {};
}

Expected<void, LabError> LabRun::startCapture(const CaptureQuestion& question, int stream) const {
  if (question.host >= m_hosts.size()) {
    errno = EINVAL;
    return setUpError("a capture");
  }
  if (auto entered = m_hosts[question.host].enter(); !entered) return entered;
  const auto child =
      startChild("lab-capture", {kEngineChannel, stream}, [&] { return runCaptureProcess(question.settings, stream); });
  if (!child) return tl::unexpected(child.error());
  return {};
}

/// The listener, when this machine can carry the traffic. Leaves the caller in the receiving host.
Expected<OwnedDescriptor, LabError> LabRun::tryTraffic(const TrafficPlan& plan) const {
  if (auto entered = m_hosts[plan.sender].enter(); !entered) return tl::unexpected(entered.error());
  if (auto source = openSource(plan, 0); !source) return source;
  if (auto entered = m_hosts[plan.receiver].enter(); !entered) return tl::unexpected(entered.error());
  return openListener(plan);
}

Expected<void, LabError> LabRun::startTraffic(const TrafficPlan& plan) {
  if (plan.slotCount == 0) return {};
  const auto listener = tryTraffic(plan);
  if (!listener && isReasonToSkip(listener.error())) {
    m_ready.skipped.push_back({plan.settings.name, listener.error()});
    return {};
  }
  if (!listener) return tl::unexpected(listener.error());

  const auto receiver = startChild(fmt::format("{:.9}-recv", plan.settings.name), {listener->get()}, [&] {
    runReceivingProgram(plan, *listener, m_table);
    return 1;
  });
  if (!receiver) return tl::unexpected(receiver.error());
  if (auto entered = m_hosts[plan.sender].enter(); !entered) return entered;
  const auto sender = startChild(fmt::format("{:.9}-send", plan.settings.name), {}, [&] {
    runSendingProgram(plan, m_table, m_ready.startedAt);
    return 0;
  });
  if (!sender) return tl::unexpected(sender.error());
  return {};
}

}  // namespace tcpscope::lab
