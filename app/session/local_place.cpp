#include "app/session/local_place.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "app/session/local_sources.h"
#include "app/session/program_watch.h"
#include "collectors/host/link_facts.h"
#include "collectors/host/place_reader.h"
#include "collectors/host/sysctl_facts.h"
#include "collectors/owner/live_option_reader.h"
#include "collectors/owner/owner_lookup.h"
#include "collectors/sock_diag/focus_collector.h"
#include "collectors/sock_diag/network_namespace.h"
#include "collectors/sock_diag/sock_diag_collector.h"
#include "collectors/system/clock_pair.h"
#include "collectors/system/monotonic_clock.h"

namespace tcpscope {

namespace {

/// The name is the user's own where it is one, as in `ip netns`; else the namespace's inode, as /proc shows it.
std::string namespaceText(const NetworkNamespace& where, std::optional<std::uint32_t> inode,
                          const std::string& nameOrPid) {
  return inode && where.path().starts_with("/proc/") ? std::to_string(*inode) : nameOrPid;
}

std::optional<std::uint32_t> namespaceInode(const std::string& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return static_cast<std::uint32_t>(status.st_ino);
}

class ProcAnswers {
public:
  ObservationBatch answer(const ProcessQuestions& questions, const std::stop_token& stop) {
    ObservationBatch answers;
    for (const ConnectionId closed : questions.closed) {
      m_unanswered.erase(closed);
      m_programs.forget(closed);
    }
    for (const OwnerQuestion& question : questions.owners) m_unanswered[question.id] = question.inode;
    answerOwners(answers);
    answerWaits(questions.waits, answers);
    for (const LiveOptionsQuestion& question : questions.liveOptions) {
      if (stop.stop_requested()) break;
      const auto options = readLiveOptions(question.pid, question.inode, question.id.cookie,
                                           m_lookup.descriptorOf(question.pid, question.inode));
      if (options) answers.liveOptions.push_back({question.id, *options});
    }
    return answers;
  }

private:
  void answerWaits(const std::vector<WaitsQuestion>& questions, ObservationBatch& answers) {
    const Moment now = monotonicNow();
    for (const WaitsQuestion& question : questions) {
      if (const auto waits = m_programs.waitsOf(question.pid, question.id, now)) {
        answers.programWaits.push_back({question.id, *waits});
      }
    }
  }

  void answerOwners(ObservationBatch& answers) {
    if (m_unanswered.empty()) return;
    std::vector<std::uint32_t> inodes;
    inodes.reserve(m_unanswered.size());
    for (const auto& [id, inode] : m_unanswered) inodes.push_back(inode);
    const OwnerLookup::Owners owners = m_lookup.lookup(inodes);
    for (auto waiting = m_unanswered.begin(); waiting != m_unanswered.end();) {
      const auto owner = owners.find(waiting->second);
      if (owner == owners.end()) {
        ++waiting;
        continue;
      }
      answers.owners.push_back({waiting->first, *owner->second});
      m_programs.watch(owner->second->pid);
      waiting = m_unanswered.erase(waiting);
    }
  }

  OwnerLookup m_lookup;
  ProgramWatch m_programs;
  /// Asked again with the next questions: the program may have been slow, or another user's.
  std::unordered_map<ConnectionId, std::uint32_t> m_unanswered;
};

/// Settings each time; links seldom: a host may have thousands of virtual interfaces, and drivers may answer slowly.
std::function<HostFacts()> ownFacts() {
  constexpr int kLinksEvery = 30;
  return [polls = 0, links = HostFacts()]() mutable {
    if (polls++ % kLinksEvery == 0) links = readLinkFacts("/", ownHostAccess());
    HostFacts facts = readSysctlFacts();
    facts.insert(facts.end(), links.begin(), links.end());
    return facts;
  };
}

}  // namespace

SystemError systemError(const NetlinkError& error, const LocalPlace& place) {
  SystemAttempt attempt = SystemAttempt::openSocketDiagnosis;
  if (error.attempt == NetlinkError::Attempt::enterNamespace) attempt = SystemAttempt::enterNamespace;
  if (error.attempt == NetlinkError::Attempt::send || error.attempt == NetlinkError::Attempt::receive) {
    attempt = SystemAttempt::listSockets;
  }
  return {attempt, error.number, UntrustedText(place.name)};
}

Environment environmentOf(const LocalPlace& place) {
  Environment environment;
  environment.sockDiag = place.access;
  environment.settings = place.settings;
  environment.facts = place.facts;
  environment.readFacts = place.readFacts;
  environment.now = monotonicNow;
  environment.networkNamespace = place.networkNamespace;
  return environment;
}

Expected<LocalPlace, SystemError> findLocalPlace(const std::optional<std::string>& nameOrPid) {
  LocalPlace found;
  found.place = readPlace(PlaceId{0});
  found.settings.place = found.place.id;
  found.settings.accecnLayout = accecnLayoutOf(found.place.kernel.rawBytes());
  found.access = ownSockDiagAccess();
  found.andOthers = nameOrPid == kAllNamespaces;
  if (nameOrPid && !found.andOthers) {
    const std::optional<NetworkNamespace> where = NetworkNamespace::parse(*nameOrPid);
    if (!where) return Unexpected<SystemError>({SystemAttempt::openNamespace, EINVAL, UntrustedText(*nameOrPid)});
    found.name = *nameOrPid;
    found.networkNamespace = namespaceInode(where->path());
    found.place.networkNamespace = namespaceText(*where, found.networkNamespace, *nameOrPid);
    found.access = sockDiagAccessIn(*where);
    found.readFacts = [where = *where] { return readSysctlFactsIn(where); };
  } else {
    found.networkNamespace = namespaceInode("/proc/self/ns/net");
    found.readFacts = ownFacts();
  }
  found.facts = found.readFacts();
  found.place.settings = std::make_shared<const SysctlValues>(sysctlValues(found.facts));
  return found;
}

Expected<std::unique_ptr<SockDiagPoller>, SystemError> openPoller(const LocalPlace& place) {
  auto poller = SockDiagPoller::open(place.access, place.settings);
  if (!poller) return Unexpected<SystemError>(systemError(poller.error(), place));
  return std::move(*poller);
}

Expected<std::unique_ptr<Collector>, SystemError> openSocketCollector(const LocalPlace& place) {
  auto collector = SockDiagCollector::open(place.access, place.settings);
  if (!collector) return Unexpected<SystemError>(systemError(collector.error(), place));
  return std::unique_ptr<Collector>(std::move(*collector));
}

Expected<std::unique_ptr<Collector>, SystemError> openFocusCollector(const LocalPlace& place) {
  auto collector = FocusCollector::open(place.access, place.settings);
  if (!collector) return Unexpected<SystemError>(systemError(collector.error(), place));
  return std::unique_ptr<Collector>(std::move(*collector));
}

ProcessAnswers answersFromProc() {
  return [answers = std::make_shared<ProcAnswers>()](const ProcessQuestions& questions, const std::stop_token& stop) {
    return answers->answer(questions, stop);
  };
}

std::vector<std::unique_ptr<Collector>> openTracingSources(const LocalPlace& place) {
  std::vector<std::unique_ptr<Collector>> opened;
  const Environment environment = environmentOf(place);
  for (const SourceDescriptor& row : sourceCatalogue()) {
    if (row.needs != SourceNeeds::tracing) continue;
    if (auto source = row.open(environment)) opened.push_back(std::move(*source));
  }
  return opened;
}

WallTime wallNow() {
  return WallTime::fromNanoseconds(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count());
}

ClockPair clockPairNow() {
  return readClocks().pair;
}

}  // namespace tcpscope
