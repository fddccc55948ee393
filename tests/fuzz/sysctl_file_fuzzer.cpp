// Any text as a file of sysctl.d: what is read of it is bounded, in order, and reads again as itself; keys have one
// form.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "core/base/invariant.h"
#include "core/host/sysctl_sources.h"

namespace {

std::string written(const tcpscope::SysctlAssignment& line) {
  const std::string key = (line.ignoresErrors || !line.value ? "-" : "") + line.key;
  return line.value ? key + " = " + line.value->rawBytes() : key;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tcpscope;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const SysctlFile file = parseSysctlFile(text);
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  TCPSCOPE_INVARIANT(file.assignments.size() + file.skippedLines <= lines);
  TCPSCOPE_INVARIANT(file.assignments.size() <= kMostSysctlAssignments);
  std::size_t last = 0;
  for (const SysctlAssignment& line : file.assignments) {
    TCPSCOPE_INVARIANT(line.line > last && line.line <= lines);
    last = line.line;
    TCPSCOPE_INVARIANT(canonicalSysctlKey(line.key) == line.key);
    SysctlFile again = parseSysctlFile(written(line));
    TCPSCOPE_INVARIANT(again.assignments.size() == 1 && again.skippedLines == 0);
    again.assignments.front().line = line.line;
    TCPSCOPE_INVARIANT(again.assignments.front() == line);
  }
  // What is asked about are few keys of it: each costs a look at every line.
  constexpr std::size_t kMostAsked = 16;
  const SysctlSources sources(
      {SysctlBootTool::systemd,
       {{SysctlFolder::etc, UntrustedText("a.conf"), SysctlFileState::read, std::string(text)}}});
  for (std::size_t index = 0; index < std::min(file.assignments.size(), kMostAsked); ++index) {
    const SysctlAssignment& line = file.assignments[index];
    const std::vector<SysctlSource> about = sources.of(line.key);
    const auto winners = std::count_if(
        about.begin(), about.end(), [](const SysctlSource& source) { return source.role == SysctlSourceRole::wins; });
    TCPSCOPE_INVARIANT(winners <= 1);
    TCPSCOPE_INVARIANT(line.isGlob || winners == 1);
    TCPSCOPE_INVARIANT(sources.overridesOf(line.key, "a.conf").by.empty());
  }
  return 0;
}
