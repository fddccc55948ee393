// Any text as /proc/PID/cgroup and as memory.stat: a path that stays in its tree, a number, or nothing.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "collectors/host/cgroup_memory_reader.h"
#include "core/base/invariant.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const std::optional<std::string> path = tcpscope::groupPathOf(text);
  TCPSCOPE_INVARIANT(!path || (path->front() == '/' && path->find("/..") == std::string::npos));
  TCPSCOPE_INVARIANT(!tcpscope::keyedValue(text, "sock") || text.find("sock ") != std::string_view::npos);
  return 0;
}
