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

/// Started first, so that they ask one after the other for what they need and then connect beside each other.
Expected<void, SystemError> startAgents(HomeSession& home, const HomeWish& wish) {
  const auto take = [&](Expected<std::unique_ptr<StartedAgent>, SystemError> agent) -> Expected<void, SystemError> {
    if (!agent) return Unexpected<SystemError>(agent.error());
    home.agents.push_back(std::move(*agent));
    return {};
  };
  if (!wish.agentWithRights.empty()) {
    if (auto taken = take(StartedAgent::start("this host", wish.agentWithRights)); !taken) return taken;
  }
  for (const std::string& host : wish.hosts) {
    if (auto taken = take(StartedAgent::startBySsh(sshAddress(host).value_or(host))); !taken) return taken;
  }
  return {};
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
  if (auto started = startAgents(home, wish); !started) return Unexpected<SystemError>(started.error());
  std::vector<AgentPipes> pipes;
  for (const auto& agent : home.agents) pipes.push_back(agent->pipes());
  auto session = openAgentsSession(pipes, settings);
  if (!session) return Unexpected<SystemError>(session.error());
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
