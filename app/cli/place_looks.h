// Looks at connections one after another: at this machine's or another host's, an interval apart, or at those of a
// recording as fast as they are wanted. `watch` and `export` share them.
#pragma once

#include "app/cli/command_options.h"
#include "app/session/local_place.h"
#include "app/session/recorded_session.h"

namespace tcpscope {

struct Look {
  std::shared_ptr<const SessionSnapshot> snapshot;
  WallTime time;
  const AnalysisSession& session;

  [[nodiscard]] std::vector<std::shared_ptr<const ConnectionDetail>> details() const {
    return detailsOf(session, *snapshot);
  }
};

/// Nothing where no further look comes: it was interrupted, or the recording is over.
using NextLook = std::function<std::optional<Look>()>;

/// Every open connection that passes the filter, an interval apart.
LocalSessionSettings looksSettings(const CommandOptions& options, const ConnectionFilter& filter);

/// What `use` makes of the looks where the options say; else what went wrong, after it was told.
ExitCode takeLooks(const CommandOptions& options, const LocalSessionSettings& settings,
                   const std::function<ExitCode(const NextLook&)>& use);

}  // namespace tcpscope
