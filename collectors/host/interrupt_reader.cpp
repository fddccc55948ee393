#include "collectors/host/interrupt_reader.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "collectors/host/file_values.h"
#include "collectors/host/interrupt_table.h"
#include "collectors/host/processor_time_reader.h"

namespace tcpscope {

namespace {

namespace fs = std::filesystem;

/// Some hundred processors with some thousand interrupts.
constexpr std::size_t kMostTableBytes = 16UL * 1024 * 1024;

/// Part by part: as a rule it is short.
std::string tableText(const fs::path& path) {
  constexpr std::size_t kPartBytes = 64UL * 1024;
  std::ifstream file(path);
  std::string text;
  while (file && text.size() < kMostTableBytes) {
    const std::size_t size = text.size();
    text.resize(size + kPartBytes);
    file.read(text.data() + size, static_cast<std::streamsize>(kPartBytes));
    text.resize(size + static_cast<std::size_t>(file.gcount()));
  }
  return text;
}

/// Numbers of message-signalled interrupts. A virtio device has those of the device that it came by.
std::set<std::uint32_t> messageInterruptsOf(const fs::path& device) {
  std::error_code error;
  const bool isVirtio = fs::read_symlink(device / "subsystem", error).filename() == "virtio";
  const fs::path folder = (isVirtio ? device / ".." : device) / "msi_irqs";
  std::set<std::uint32_t> numbers;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (const auto number = numberIn<std::uint32_t>(entry->path().filename().string())) numbers.insert(*number);
  }
  return numbers;
}

Reported<std::vector<InterruptReading>> interruptsOf(const UntrustedText& link, const InterruptTable& table,
                                                     const fs::path& root) {
  const auto numbers = messageInterruptsOf(root / "sys/class/net" / link.rawBytes() / "device");
  std::vector<InterruptReading> interrupts;
  for (const InterruptLine& line : table.lines) {
    if (!numbers.contains(line.number) && !namesInterface(line, link)) continue;
    InterruptReading interrupt{line.number, {}, {}};
    for (std::size_t column = 0; column < line.counts.size(); ++column) {
      interrupt.byProcessor[table.processors[column]] = line.counts[column];
    }
    const fs::path folder = root / "proc/irq" / std::to_string(line.number);
    interrupt.affinity = UntrustedText(firstLineOf(folder / "smp_affinity_list"));
    interrupts.push_back(std::move(interrupt));
  }
  if (interrupts.empty()) return unreported();
  return interrupts;
}

}  // namespace

void addInterrupts(HostReading& reading, const fs::path& root) {
  reading.processorTimes = readProcessorTimes(root);
  const auto isPhysical = [](const LinkReading& link) { return link.isPhysical; };
  if (std::none_of(reading.links.begin(), reading.links.end(), isPhysical)) return;
  const InterruptTable table = interruptTableIn(tableText(root / "proc/interrupts"));
  for (LinkReading& link : reading.links) {
    if (link.isPhysical) link.interrupts = interruptsOf(link.name, table, root);
  }
}

}  // namespace tcpscope
