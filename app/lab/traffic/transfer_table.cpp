#include "app/lab/traffic/transfer_table.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>

#include "app/lab/host/set_up_error.h"

namespace tcpscope::lab {

namespace {

constexpr const char* kWhat = "memory for transfers";

static_assert(sizeof(TransferSlot) % alignof(HostMeter) == 0, "the meters lie behind the slots");

std::size_t bytesFor(std::size_t slots, std::size_t hosts) {
  return std::max<std::size_t>(slots * sizeof(TransferSlot) + hosts * sizeof(HostMeter), 1);
}

}  // namespace

Expected<TransferTable, LabError> TransferTable::make(std::size_t slots, std::size_t hosts) {
  OwnedDescriptor memory(memfd_create("lab-transfers", MFD_CLOEXEC));
  if (!memory || ftruncate(memory.get(), static_cast<off_t>(bytesFor(slots, hosts))) != 0) return setUpError(kWhat);
  return map(std::move(memory), slots, hosts, PROT_READ | PROT_WRITE);
}

Expected<TransferTable, LabError> TransferTable::adopt(OwnedDescriptor memory, std::size_t slots, std::size_t hosts) {
  struct stat facts {};
  if (fstat(memory.get(), &facts) != 0) return setUpError(kWhat);
  if (static_cast<std::size_t>(facts.st_size) < bytesFor(slots, hosts)) {
    errno = EINVAL;
    return setUpError(kWhat);
  }
  return map(std::move(memory), slots, hosts, PROT_READ);
}

Expected<TransferTable, LabError> TransferTable::map(OwnedDescriptor memory, std::size_t slots, std::size_t hosts,
                                                     int protection) {
  const std::size_t bytes = bytesFor(slots, hosts);
  void* const start = mmap(nullptr, bytes, protection, MAP_SHARED, memory.get(), 0);
  if (start == MAP_FAILED) return setUpError(kWhat);
  auto* const first = static_cast<TransferSlot*>(start);
  return TransferTable(std::move(memory), first, reinterpret_cast<HostMeter*>(first + slots), bytes);
}

TransferTable::TransferTable(TransferTable&& other) noexcept
    : m_memory(std::move(other.m_memory)),
      m_slots(std::exchange(other.m_slots, nullptr)),
      m_hosts(std::exchange(other.m_hosts, nullptr)),
      m_bytes(std::exchange(other.m_bytes, 0)) {}

TransferTable& TransferTable::operator=(TransferTable&& other) noexcept {
  std::swap(m_memory, other.m_memory);
  std::swap(m_slots, other.m_slots);
  std::swap(m_hosts, other.m_hosts);
  std::swap(m_bytes, other.m_bytes);
  return *this;
}

TransferTable::~TransferTable() {
  if (m_slots != nullptr) munmap(m_slots, m_bytes);
}

std::vector<TransferRecord> TransferTable::records(const std::vector<TrafficPlan>& plans) const {
  std::vector<TransferRecord> result;
  for (const TrafficPlan& plan : plans) {
    for (std::size_t stream = 0; stream < plan.slotCount; ++stream) {
      const TransferSlot& slot = m_slots[plan.firstSlot + stream];
      const std::int64_t startedAt = slot.startedAt.load();
      if (startedAt == 0) continue;
      TransferRecord record;
      record.traffic = plan.settings.name;
      record.stream = stream;
      record.source = plan.sourceOf(stream);
      record.destination = plan.destination;
      record.startedAt = Moment::fromNanoseconds(startedAt);
      if (const std::int64_t endedAt = slot.endedAt.load(); endedAt != 0) {
        record.endedAt = Moment::fromNanoseconds(endedAt);
      }
      record.received = Bytes{slot.receivedBytes.load()};
      result.push_back(std::move(record));
    }
  }
  return result;
}

std::vector<HostUse> TransferTable::hostUses(const std::vector<AttachedHost>& hosts) const {
  std::vector<HostUse> result;
  for (std::size_t number = 0; number < hosts.size(); ++number) {
    const HostMeter& meter = m_hosts[number];
    if (meter.programs.load() == 0) continue;
    const auto peak = Bytes(static_cast<std::uint64_t>(meter.memoryPeak.load()));
    result.push_back({hosts[number].name, Nanoseconds(meter.processorTime.load()),
                      meter.knowsMemory.load() ? std::optional(peak) : std::nullopt});
  }
  return result;
}

}  // namespace tcpscope::lab
