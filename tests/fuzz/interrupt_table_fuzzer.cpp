// Any text as /proc/interrupts: lines with a count for each processor, and no more than the text has.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "collectors/host/interrupt_table.h"
#include "core/base/invariant.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const tcpscope::InterruptTable table = tcpscope::interruptTableIn(text);
  TCPSCOPE_INVARIANT(table.lines.size() <= size && table.processors.size() <= size);
  for (const tcpscope::InterruptLine& line : table.lines) {
    TCPSCOPE_INVARIANT(line.counts.size() == table.processors.size());
    TCPSCOPE_INVARIANT(text.find(line.what.rawBytes()) != std::string_view::npos);
    tcpscope::namesInterface(line, tcpscope::UntrustedText("eth0"));
  }
  return 0;
}
