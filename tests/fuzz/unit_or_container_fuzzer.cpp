// Any text as /proc/PID/cgroup: a name that stands in it, or none.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "collectors/owner/process_reader.h"
#include "core/base/invariant.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::size_t kLongestLabel = sizeof("kubernetes:");
  const std::optional<tcpscope::UntrustedText> found =
      tcpscope::unitOrContainerOf({reinterpret_cast<const char*>(bytes), size});
  TCPSCOPE_INVARIANT(!found || found->rawBytes().size() <= size + kLongestLabel);
  return 0;
}
