// Polls connections one sample after another: this machine's or another host's once per interval, a recording's as fast
// as they are consumed. `watch` and `export` share them.
#pragma once

#include "app/cli/command_options.h"
#include "app/session/polled_session.h"
#include "app/session/recorded_session.h"

namespace tcpscope {

struct Poll {
  std::shared_ptr<const SessionSnapshot> snapshot;
  WallTime time;
  const AnalysisSession& session;
  /// Null where it is not this machine that is polled.
  PolledSession* here = nullptr;
  /// How many details may be held at once.
  std::size_t mostDetails = std::numeric_limits<std::size_t>::max();

  template <class Use>
  void forEachDetail(Use&& use) const {
    tcpscope::forEachDetail(session, *snapshot, std::forward<Use>(use));
  }
};

/// Absent after the last poll: after an interruption, or at the end of the recording.
using NextPoll = std::function<std::optional<Poll>()>;

/// Every open connection that passes the filter, an interval apart.
LocalSessionSettings pollingSettings(const CommandOptions& options, const ConnectionFilter& filter);

/// Calls `use` with the polls of the source that the options name; or returns the exit code after printing the error.
ExitCode pollConnections(const CommandOptions& options, const LocalSessionSettings& settings,
                         const std::function<ExitCode(const NextPoll&)>& use);

}  // namespace tcpscope
