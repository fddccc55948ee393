// Any text as a thread's stat and schedstat: times that are not negative, or nothing.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "collectors/host/task_stat.h"
#include "core/base/invariant.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using tcpscope::Nanoseconds;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  if (const auto stat = tcpscope::taskStatIn(text, 100)) {
    TCPSCOPE_INVARIANT(stat->ran >= Nanoseconds(0) && stat->begun >= Nanoseconds(0));
    TCPSCOPE_INVARIANT(stat->waitedForDisk.value_or(Nanoseconds(0)) >= Nanoseconds(0));
    TCPSCOPE_INVARIANT(text.find(stat->name.rawBytes()) != std::string_view::npos);
  }
  TCPSCOPE_INVARIANT(tcpscope::processorWaitIn(text).value_or(Nanoseconds(0)) >= Nanoseconds(0));
  return 0;
}
