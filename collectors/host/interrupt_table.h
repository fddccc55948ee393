// The text of /proc/interrupts (proc(5)): a line of processors, then an interrupt a line with how often each of them
// took it.
//
// Any text is taken: a line that does not read as an interrupt with a number is left out, one that is cut off as well.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/untrusted_text.h"

namespace tcpscope {

struct InterruptLine {
  std::uint32_t number = 0;
  /// In the order of the table's processors.
  std::vector<std::uint64_t> counts;
  /// Chip, kind and who asked for it: "PCI-MSIX-0000:00:03.0 1-edge virtio2-input.0".
  UntrustedText what;
};

struct InterruptTable {
  /// Their numbers; those that are offline have no column.
  std::vector<std::uint32_t> processors;
  std::vector<InterruptLine> lines;
};

InterruptTable interruptTableIn(std::string_view text);

/// Does the line name the interface: "eth0", "eth0-TxRx-3", "eth0:rx"? Not "eth01".
bool namesInterface(const InterruptLine& line, const UntrustedText& interface);

}  // namespace tcpscope
