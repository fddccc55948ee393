#include "core/session/problems.h"

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <tuple>

#include "core/diagnosis/evidence/confidence.h"
#include "core/diagnosis/evidence/left_open.h"
#include "core/host/sysctl_values.h"
#include "core/session/listener_table.h"

namespace tcpscope {

namespace {

/// What makes connections parts of one problem.
struct ProblemKey {
  ProblemKind kind;
  Cause cause = Cause::unknown;
  PlaceId place;
  Endpoint endpoint;
  std::uint32_t ownerIndex = kNoOwner;

  [[nodiscard]] auto order() const { return std::tie(kind, cause, place, endpoint, ownerIndex); }
  bool operator<(const ProblemKey& other) const { return order() < other.order(); }
};

constexpr FindingSeverity severityOf(ProblemKind kind) {
  switch (kind) {
    // A program may close its own side on purpose and wait for the rest; where no firewall is, silence harms nothing.
    case ProblemKind::finWait:
    case ProblemKind::unfinishedClose:
    case ProblemKind::noKeepAlive:
      return FindingSeverity::warning;
    default:
      return FindingSeverity::problem;
  }
}

/// What firewalls and address translators keep an idle connection for, as they are set by their makers: an hour is
/// usual, some keep it for minutes; RFC 5382 asks for two hours and four minutes at least.
constexpr Nanoseconds kFirewallsForget = std::chrono::hours(1);
/// Fewer of one peer, any server on the Internet has.
constexpr std::size_t kPile = 100;

/// The end that answers nothing, and the program that asks.
ProblemKey byPeer(ProblemKind kind, const ConnectionRow& row, bool ofThatPort) {
  Endpoint peer = row.remote;
  if (!ofThatPort) peer.port = 0;
  return {kind, row.cause, row.id.place, peer, kNoOwner};
}

ProblemKey byProgram(ProblemKind kind, const ConnectionRow& row) {
  return {kind, Cause::unknown, row.id.place, {}, row.ownerIndex};
}

std::optional<ProblemKey> problemOf(const ConnectionRow& row, std::optional<Nanoseconds> silent) {
  const bool isSure = static_cast<double>(row.confidenceRatio) >= kConfident;
  // What is being closed, and attempts of peers that vanish, any server on the Internet has at all times.
  const bool isBeingClosed =
      row.state == TcpState::finWait1 || row.state == TcpState::lastAck || row.state == TcpState::closing;
  if (row.limit == Limit::stalled && isSure && !isBeingClosed) return byPeer(ProblemKind::stalled, row, false);
  if (row.limit == Limit::opening && row.cause == Cause::noResponse && isSure && row.state == TcpState::synSent) {
    return byPeer(ProblemKind::unansweredOpening, row, true);
  }
  if (row.limit == Limit::application && row.cause == Cause::nagle && isSure) {
    ProblemKey key = byPeer(ProblemKind::smallWrites, row, true);
    key.ownerIndex = row.ownerIndex;
    return key;
  }
  if (isBeingClosed) return byPeer(ProblemKind::unfinishedClose, row, false);
  if (!silent || *silent < kLeftOpenFor) return std::nullopt;
  if (row.state == TcpState::established) {
    const bool mayBeForgotten = row.limit == Limit::idle && *silent >= kFirewallsForget;
    const bool isLocal = row.remote.address.unmapped().isLoopback();
    return mayBeForgotten && !isLocal ? std::optional(byProgram(ProblemKind::noKeepAlive, row)) : std::nullopt;
  }
  if (row.state == TcpState::closeWait) return byProgram(ProblemKind::closeWait, row);
  if (row.state == TcpState::finWait2 && row.ownerIndex != kNoOwner) return byProgram(ProblemKind::finWait, row);
  return std::nullopt;
}

/// Gathers what belongs together, in the order of the rows.
class ProblemTable {
public:
  explicit ProblemTable(const SessionSnapshot& snapshot) : m_snapshot(snapshot) {}

  void add(const ProblemKey& key, const ConnectionRow& row, std::optional<Nanoseconds> lasted) {
    const auto [found, isNew] = m_indices.try_emplace(key, m_problems.size());
    if (isNew) {
      Problem problem;
      problem.kind = key.kind;
      problem.severity = severityOf(key.kind);
      problem.cause = key.cause;
      problem.place = key.place;
      problem.endpoint = key.endpoint;
      problem.owner = row.ownerIndex == kNoOwner ? nullptr : (*m_snapshot.owners)[row.ownerIndex];
      problem.confidenceRatio = 1.0;
      m_problems.push_back(std::move(problem));
    }
    Problem& problem = m_problems[found->second];
    if (isNew) problem.sharedPort = row.remote.port;
    if (problem.sharedPort != row.remote.port) problem.sharedPort = 0;
    ++problem.count;
    if (problem.connections.size() < kMostNamed) problem.connections.push_back(row.id);
    if (lasted && lasted > problem.oldest) problem.oldest = lasted;
    const double confidence = row.confidenceRatio > 0.0F ? static_cast<double>(row.confidenceRatio) : kStateIsSure;
    problem.confidenceRatio = std::min(problem.confidenceRatio, confidence);
  }

  void add(Problem problem) { m_problems.push_back(std::move(problem)); }

  std::vector<Problem> take() {
    std::erase_if(m_problems, [](const Problem& problem) {
      return problem.kind == ProblemKind::unfinishedClose && problem.count < kPile;
    });
    const auto graver = [](const Problem& a, const Problem& b) {
      return std::tuple(b.severity, a.kind, b.count) < std::tuple(a.severity, b.kind, a.count);
    };
    std::stable_sort(m_problems.begin(), m_problems.end(), graver);
    return std::move(m_problems);
  }

private:
  static constexpr double kStateIsSure = 0.95;
  const SessionSnapshot& m_snapshot;
  std::map<ProblemKey, std::size_t> m_indices;
  std::vector<Problem> m_problems;
};

/// Ports that connect() chooses from (net.ipv4.ip_local_port_range).
std::optional<std::uint64_t> localPorts(const SysctlValues& settings) {
  const auto text = settings.text("net.ipv4.ip_local_port_range");
  if (!text) return std::nullopt;
  std::istringstream words{std::string(*text)};
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  if (!(words >> first >> last) || last < first || last > 65535) return std::nullopt;
  return last - first + 1;
}

/// Connections from this place's own ports to each endpoint, TIME-WAIT included.
class PortUse {
public:
  void count(const ConnectionRow& row) {
    if (!row.closed && !row.unheard && row.state == TcpState::timeWait) ++m_uses[{row.id.place, row.remote}].timeWait;
  }
  /// To be called for each row again, behind count(): only endpoints with ports in TIME-WAIT matter.
  void countPorts(const ConnectionRow& row) {
    if (m_uses.empty() || row.closed || row.unheard) return;
    const auto use = m_uses.find({row.id.place, row.remote});
    if (use != m_uses.end()) ++use->second.ports;
  }
  [[nodiscard]] bool isEmpty() const { return m_uses.empty(); }

  void addTo(ProblemTable& table, const SessionSnapshot& snapshot) const {
    // An endpoint of a client has few connections each; of a server, to which many are opened from here, TIME-WAIT
    // keeps the port of each for a minute.
    constexpr double kNearlyAll = 0.8;
    for (const auto& [key, use] : m_uses) {
      const auto ports = localPorts(snapshot.settings(key.first));
      if (!ports || static_cast<double>(use.ports) < kNearlyAll * static_cast<double>(*ports)) continue;
      Problem problem;
      problem.kind = ProblemKind::portsUsedUp;
      problem.confidenceRatio = 0.95;
      problem.place = key.first;
      problem.endpoint = key.second;
      problem.count = use.ports;
      problem.capacity = ports;
      table.add(std::move(problem));
    }
  }

private:
  struct Use {
    std::size_t ports = 0;
    std::size_t timeWait = 0;
  };
  std::map<std::pair<PlaceId, Endpoint>, Use> m_uses;
};

void addListeners(ProblemTable& table, const SessionSnapshot& snapshot, const ConnectionFilter& filter) {
  for (const ListenerRow& listener : snapshot.listeners) {
    const auto full = std::find_if(listener.findings.begin(), listener.findings.end(), [](const Finding& finding) {
      return finding.rule == RuleId::acceptQueueOverflow && finding.severity == FindingSeverity::problem;
    });
    if (full == listener.findings.end()) continue;
    const SocketObservation socket = observationOf(listener);
    if (!filter.matches({socket, listener.owner.get()})) continue;
    Problem problem;
    problem.kind = ProblemKind::acceptQueueOverflow;
    problem.confidenceRatio = full->confidenceRatio;
    problem.place = listener.id.place;
    problem.endpoint = listener.local;
    problem.owner = listener.owner;
    problem.count = listener.acceptQueue;
    problem.capacity = listener.backlog;
    table.add(std::move(problem));
  }
}

}  // namespace

std::string_view name(ProblemKind kind) {
  constexpr std::array<std::string_view, kProblemKinds> kNames = {
      "unanswered_opening", "stalled",  "accept_queue_overflow", "ports_used_up", "close_wait",
      "small_writes",       "fin_wait", "unfinished_close",      "no_keep_alive"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<Problem> problemsOf(const SessionSnapshot& snapshot, const ConnectionFilter& filter) {
  ProblemTable table(snapshot);
  PortUse ports;
  for (const std::uint32_t slot : *snapshot.order) {
    const ConnectionRow row = snapshot.row(slot);
    ports.count(row);
    if (row.closed || row.unheard) continue;
    std::optional<Nanoseconds> silent;
    if (const auto since = row.waitingSince ? row.waitingSince : row.silentSince) silent = snapshot.time - *since;
    if (const auto key = problemOf(row, silent)) table.add(*key, row, silent);
  }
  if (!ports.isEmpty()) {
    for (const std::uint32_t slot : *snapshot.order) ports.countPorts(snapshot.row(slot));
  }
  ports.addTo(table, snapshot);
  addListeners(table, snapshot, filter);
  return table.take();
}

}  // namespace tcpscope
