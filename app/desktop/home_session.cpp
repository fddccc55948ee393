#include "app/desktop/home_session.h"

#include <unistd.h>

#include <QStandardPaths>

#include "app/remote/agents_session.h"
#include "app/session/local_place.h"
#include "collectors/capability_probe.h"
#include "core/text/capability_sentences.h"

namespace tcpscope {

namespace {

bool isInstalled(const char* program) {
  return !QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty();
}

using Agents = std::vector<std::unique_ptr<StartedAgent>>;

/// Started first, so that they ask one after the other for what they need and then connect beside each other.
Expected<Agents, SystemError> startAgents(const std::vector<std::string>& hosts, AgentMeans means) {
  Agents agents;
  for (const std::string& host : hosts) {
    auto agent = StartedAgent::startBySsh(sshAddress(host).value_or(host), SshManner::inTerminal, means);
    if (!agent) return Unexpected<SystemError>(agent.error());
    agents.push_back(std::move(*agent));
  }
  return agents;
}

Expected<std::vector<JoinedHost>, SystemError> joinAll(LiveSession& session, Agents agents, std::uint32_t firstPlace) {
  std::vector<JoinedHost> hosts;
  for (auto& agent : agents) {
    auto link = AgentLink::open();
    if (!link) return Unexpected<SystemError>(link.error());
    const std::string address = agent->pipes().name;
    auto joined = joinHost(session, PlaceId{firstPlace++}, address, std::move(agent), std::move(*link));
    if (!joined) return Unexpected<SystemError>(joined.error());
    hosts.push_back(std::move(*joined));
  }
  return hosts;
}

}  // namespace

Expected<HomeSession, SystemError> openHome(const HomeWish& wish) {
  HomeSession home;
  AgentsSessionSettings settings;
  settings.patience = std::chrono::minutes(1);
  settings.paths = wish.paths;
  settings.budget.watchesPaths = wish.paths != nullptr;
  if (wish.agentWithRights.empty()) {
    auto place = findLocalPlace(std::nullopt);
    if (!place) return Unexpected<SystemError>(place.error());
    home.notice = notice(probeCapabilities(place->access));
    settings.local = std::move(*place);
  }
  std::vector<AgentPipes> pipes;
  if (!wish.agentWithRights.empty()) {
    auto agent = StartedAgent::start("this host", wish.agentWithRights);
    if (!agent) return Unexpected<SystemError>(agent.error());
    home.agentWithRights = std::move(*agent);
    pipes.push_back(home.agentWithRights->pipes());
  }
  auto agents = startAgents(wish.hosts, wish.means);
  if (!agents) return Unexpected<SystemError>(agents.error());
  auto session = openAgentsSession(pipes, settings);
  if (!session) return Unexpected<SystemError>(session.error());
  constexpr std::uint32_t kPlacesOfThisHost = 1;
  auto hosts = joinAll(**session, std::move(*agents), kPlacesOfThisHost);
  if (!hosts) return Unexpected<SystemError>(hosts.error());
  home.hosts = std::move(*hosts);
  home.session = std::move(*session);
  return home;
}

std::vector<std::string> agentAsRoot(const std::string& program) {
  if (geteuid() == 0) return {program, "agent"};
  const bool hasTerminal = isatty(STDERR_FILENO) == 1;
  if (hasTerminal && isInstalled("sudo")) return {"sudo", "--", program, "agent"};
  if (isInstalled("pkexec")) return {"pkexec", program, "agent"};
  return {};
}

}  // namespace tcpscope
