#include "app/desktop/home_session.h"

#include <unistd.h>

#include <QStandardPaths>
#include <cerrno>

#include "app/remote/agents_session.h"
#include "app/remote/command_line_program.h"
#include "app/session/local_place.h"
#include "collectors/probe/capability_probe.h"
#include "core/present/text/host_text.h"

namespace tcpscope {

namespace {

bool isInstalled(const char* program) {
  return !QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty();
}

/// Of one host; an error where it could not be started.
struct WantedAgent {
  std::string address;
  Expected<std::unique_ptr<StartedAgent>, SystemError> agent;
};

/// Started first, so that they ask one after the other for what they need and then connect beside each other. Fails
/// with what can be no host.
Expected<std::vector<WantedAgent>, SystemError> startAgents(const std::vector<std::string>& hosts, AgentMeans means) {
  std::vector<WantedAgent> agents;
  for (const std::string& host : hosts) {
    std::string address(sshAddress(host).value_or(host));
    if (!isSshAddress(address))
      return Unexpected<SystemError>({SystemAttempt::reachAgent, EINVAL, UntrustedText(address)});
    auto agent = StartedAgent::startBySsh(address, SshManner::asking, means);
    agents.push_back({std::move(address), std::move(agent)});
  }
  return agents;
}

/// One that cannot be reached joins as a disconnected one, which the window reports and reconnects.
Expected<JoinedHost, SystemError> joinReachedOrLost(LiveSession& session, WantedAgent wanted, AgentMeans means,
                                                    PlaceId place) {
  auto link = AgentLink::open();
  if (!link) return Unexpected<SystemError>(link.error());
  if (!wanted.agent) return joinLostHost(session, place, wanted.address, means, wanted.agent.error(), *link);
  auto joined = joinHost(session, place, wanted.address, std::move(*wanted.agent), *link);
  return joined ? joined : joinLostHost(session, place, wanted.address, means, joined.error(), *link);
}

Expected<std::vector<JoinedHost>, SystemError> joinAll(LiveSession& session, std::vector<WantedAgent> agents,
                                                       AgentMeans means, std::uint32_t firstPlace) {
  std::vector<JoinedHost> hosts;
  for (WantedAgent& wanted : agents) {
    auto joined = joinReachedOrLost(session, std::move(wanted), means, PlaceId{firstPlace++});
    if (!joined) return Unexpected<SystemError>(joined.error());
    hosts.push_back(std::move(*joined));
  }
  return hosts;
}

}  // namespace

Expected<HomeSession, SystemError> openHome(const HomeRequest& request) {
  HomeSession home;
  AgentsSessionSettings settings;
  settings.timeout = std::chrono::minutes(1);
  settings.paths = request.paths;
  settings.budget.watchesPaths = request.paths != nullptr;
  if (request.agentWithRights.empty()) {
    auto place = findLocalPlace(request.networkNamespace);
    if (!place) return Unexpected<SystemError>(place.error());
    place->captureProgram = request.commandLine;
    CapabilityReport report = probeCapabilities(place->access);
    // Not missed where one namespace was asked for.
    if (!place->andOthers) {
      std::erase_if(report,
                    [](const CapabilityState& state) { return state.capability == Capability::otherNamespaces; });
    }
    home.notice = notice(report);
    settings.local = std::move(*place);
  }
  std::vector<AgentPipes> pipes;
  if (!request.agentWithRights.empty()) {
    auto agent = StartedAgent::start("this host", request.agentWithRights);
    if (!agent) return Unexpected<SystemError>(agent.error());
    home.agentWithRights = std::move(*agent);
    pipes.push_back(home.agentWithRights->pipes());
    // Its packets pass this process, too.
    pipes.back().captures.emplace();
  }
  auto agents = startAgents(request.hosts, request.means);
  if (!agents) return Unexpected<SystemError>(agents.error());
  auto session = openAgentsSession(pipes, settings);
  if (!session) return Unexpected<SystemError>(session.error());
  constexpr std::uint32_t kPlacesOfThisHost = 1;
  auto hosts = joinAll(**session, std::move(*agents), request.means, kPlacesOfThisHost);
  if (!hosts) return Unexpected<SystemError>(hosts.error());
  home.hosts = std::move(*hosts);
  home.session = std::move(*session);
  return home;
}

Expected<std::vector<std::string>, std::string> agentAsRoot(const std::string& program) {
  using Words = std::vector<std::string>;
  constexpr const char* kNamespaces = "--netns=all";
  if (geteuid() == 0) return Words{program, "agent", kNamespaces};
  const auto trusted = programForRoot(program);
  if (!trusted) return tl::unexpected(trusted.error());
  const bool hasTerminal = isatty(STDERR_FILENO) == 1;
  if (hasTerminal && isInstalled("sudo")) return Words{"sudo", "--", *trusted, "agent", kNamespaces};
  if (isInstalled("pkexec")) return Words{"pkexec", *trusted, "agent", kNamespaces};
  return tl::unexpected(std::string("--with-rights takes sudo or pkexec, and neither is installed"));
}

}  // namespace tcpscope
