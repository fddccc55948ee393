#include "app/cli/connection_output.h"

#include <algorithm>

#include "core/base/escape.h"
#include "core/present/text/sentences.h"

namespace tcpscope {

void appendConnectionName(TextBuffer& out, const ConnectionDetail& detail, const Style& style) {
  std::string owner;
  if (detail.owner) owner = fmt::format("  {} ({})", forTerminal(detail.owner->processName), detail.owner->pid);
  line(out, "{}  {}  {}{}",
       style.bold(fmt::format("{} -> {}", detail.socket.local.toString(), detail.socket.remote.toString())),
       detail.row.closed ? "closed" : name(detail.socket.state), detail.socket.congestionControl.text(), owner);
}

void appendSideName(TextBuffer& out, const SideDiagnosis& side) {
  const std::string rate = side.goodput ? formatRate(*side.goodput) : std::string("rate unknown");
  line(out, "  {} {}", side.side == Side::sending ? "Tx" : "Rx", rate);
}

void appendLeftOut(TextBuffer& out, const SessionSnapshot& snapshot,
                   const std::vector<std::shared_ptr<const ConnectionDetail>>& details) {
  const auto idle =
      std::count_if(details.begin(), details.end(), [](const auto& one) { return !isActive(one->diagnosis); });
  if (const std::string lost = sentence(snapshot.gaps); !lost.empty()) line(out, "incomplete: {}", lost);
  if (idle > 0) line(out, "{} idle connection{} left out; --json has all.", idle, idle == 1 ? "" : "s");
}

}  // namespace tcpscope
