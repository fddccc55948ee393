#include "app/desktop/demo_start.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/lab/run/lab_packets.h"
#include "app/remote/agents_session.h"
#include "app/session/replay_session.h"
#include "core/present/text/error_text.h"
#include "core/present/text/lab_text.h"

namespace tcpscope {

namespace {

using DemoOutcome = Expected<std::shared_ptr<RunningDemo>, std::string>;

/// A demo keeps the details of every connection.
SessionBudget demoBudget() {
  SessionBudget budget;
  budget.keepsEveryHistory = true;
  return budget;
}

DemoOutcome playRecording(const std::vector<Demo>& demos, const DemoSources& sources, PlaceId firstPlace,
                          const LabError& denied) {
  const auto number = findDemo(demos, kDefaultDemo);
  if (!number || sources.recordings.empty()) return tl::unexpected(sentence(denied));
  auto session = ReplaySession::open(sources.recordings, {}, firstPlace);
  if (!session) return tl::unexpected(sentence(session.error()));
  auto running = std::make_shared<RunningDemo>();
  running->demo = *number;
  running->session = std::move(*session);
  running->notice = lab::recordingNotice(denied);
  return running;
}

/// What was left out of the traffic; an error where that is the main connection.
Expected<std::string, std::string> whatIsSkipped(const Demo& demo, lab::LabProcess& lab) {
  const auto report = lab.report();
  if (!report) return tl::unexpected(sentence(report.error()));
  std::string notice;
  for (const lab::SkippedTraffic& skipped : report->skipped) {
    if (skipped.traffic == demo.traffic) return tl::unexpected(sentence(skipped.reason));
    notice = sentence(skipped.reason);
  }
  return notice;
}

DemoOutcome watchLab(const Demo& demo, std::unique_ptr<lab::LabProcess> lab, PlaceId firstPlace) {
  auto notice = whatIsSkipped(demo, *lab);
  if (!notice) return tl::unexpected(notice.error());
  std::vector<AgentPipes> pipes;
  for (const lab::AgentPipe& agent : lab->agents()) {
    AgentPipes ends{agent.host, agent.framesDescriptor, agent.requestsDescriptor};
    ends.captures = lab::captureMeansOf(*lab, pipes.size());
    pipes.push_back(std::move(ends));
  }
  AgentsSessionSettings settings;
  settings.budget = demoBudget();
  settings.firstPlace = firstPlace;
  auto session = openAgentsSession(pipes, settings);
  if (!session) return tl::unexpected(sentence(session.error()));
  auto running = std::make_shared<RunningDemo>();
  running->lab = std::move(lab);
  running->session = std::move(*session);
  running->notice = std::move(*notice);
  return running;
}

}  // namespace

DemoOutcome startDemo(const std::vector<Demo>& demos, std::size_t wanted, const DemoSources& sources,
                      PlaceId firstPlace) {
  auto lab = sources.startLab(demos[wanted].scenario);
  if (!lab && lab.error().kind == LabErrorKind::noUserNamespaces) {
    return playRecording(demos, sources, firstPlace, lab.error());
  }
  if (!lab) return tl::unexpected(sentence(lab.error()));
  auto running = watchLab(demos[wanted], std::move(*lab), firstPlace);
  if (running) (*running)->demo = wanted;
  return running;
}

std::vector<std::filesystem::path> bundledRecordings(const std::filesystem::path& programFolder) {
  for (const char* const folder : {"recordings", TCPSCOPE_INSTALLED_RECORDINGS}) {
    std::vector<std::filesystem::path> found;
    std::error_code missing;
    for (const auto& entry : std::filesystem::directory_iterator(programFolder / folder, missing)) {
      const std::string name = entry.path().filename();
      if (name.starts_with(kDefaultDemo) && entry.path().extension() == ".tcpscope") found.push_back(entry.path());
    }
    // Places are numbered in this order, whatever that of the folder is.
    std::sort(found.begin(), found.end());
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace tcpscope
