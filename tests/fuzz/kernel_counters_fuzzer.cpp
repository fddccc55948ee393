// The counters of a protocol are parts of the text, however broken its lines are.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "collectors/system/kernel_counters.h"
#include "core/base/invariant.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const tcpscope::KernelCounter& counter : tcpscope::kernelCounters(text, "Tcp:")) {
    const bool isPart =
        counter.name.data() >= text.data() && counter.name.data() + counter.name.size() <= text.data() + text.size();
    TCPSCOPE_INVARIANT(isPart && counter.name.find('\n') == std::string_view::npos);
  }
  return 0;
}
