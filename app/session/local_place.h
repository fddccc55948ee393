// A network namespace of this host, ready to be observed: its identity, access to its sockets, and their owners.
//
// No thread of this process enters it: a child opens the sockets inside and passes them to this process
// (collectors/sock_diag/network_namespace.h).
#pragma once

#include <optional>
#include <string>

#include "app/session/live_session.h"
#include "collectors/host/settings_watch.h"
#include "collectors/sock_diag/sock_diag_poller.h"
#include "collectors/trace/trace_values.h"
#include "core/base/system_error.h"

namespace tcpscope {

struct LocalPlace {
  Place place;
  SockDiagAccess access;
  SockDiagSettings settings;
  /// As the user named it; empty for the caller's own.
  std::string name;
  /// Inode of the network namespace; absent where unknown.
  std::optional<std::uint32_t> networkNamespace{};
  /// Its settings, to be passed on as they are; the place has them for lookups.
  HostFacts facts;
  /// What is set there now.
  std::function<HostFacts()> readFacts;

  /// And every other network namespace of this host that may be entered.
  bool andOthers = false;
  /// tcpscope-cli, by which packets in other network namespaces than the caller's are captured; empty where they are
  /// not.
  std::string captureProgram{};

  [[nodiscard]] SettingsWatch watchSettings() const { return {facts, readFacts}; }
};

/// What stands for every network namespace in place of a name.
inline constexpr std::string_view kAllNamespaces = "all";

/// The caller's own namespace, the one with this name or of this process, or with kAllNamespaces the caller's own and
/// all others.
Expected<LocalPlace, SystemError> findLocalPlace(const std::optional<std::string>& nameOrPid);

/// A poller of the place, to be driven by hand.
Expected<std::unique_ptr<SockDiagPoller>, SystemError> openPoller(const LocalPlace& place);

/// The collector of the place's sockets, for callers that run it themselves.
Expected<std::unique_ptr<Collector>, SystemError> openSocketCollector(const LocalPlace& place);
/// The collector of the socket in focus, likewise.
Expected<std::unique_ptr<Collector>, SystemError> openFocusCollector(const LocalPlace& place);

/// Owners from /proc, and locked buffers where the program may be asked. Keeps what it found for the next questions.
ProcessAnswers answersFromProc();

/// The sources of the catalogue that report single events, as far as this process may trace.
std::vector<std::unique_ptr<Collector>> openTracingSources(const LocalPlace& place);

struct LocalSessionSettings {
  SessionControl control;
  bool resolveOwners = true;
  SessionBudget budget;
  /// As LiveSessionParts::paths; of a live session alone.
  TakePathSightings paths{};
};

/// Adds the place to what a session observes: every source of the catalogue that can work here, each on a thread of its
/// own, and captures where packets pass this process. Fails where no source of sockets can work.
Expected<void, SystemError> addLocalPlace(LiveSessionParts& parts, const LocalPlace& place);

/// A live session over this place alone.
Expected<std::unique_ptr<LiveSession>, SystemError> openLocalSession(const LocalPlace& place,
                                                                     const LocalSessionSettings& settings);

/// Both clocks of this host, now.
ClockPair clockPairNow();
WallTime wallNow();

}  // namespace tcpscope
