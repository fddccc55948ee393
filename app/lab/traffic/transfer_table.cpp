#include "app/lab/traffic/transfer_table.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>

#include "app/lab/host/set_up_error.h"

namespace tcpscope::lab {

namespace {

constexpr const char* kWhat = "memory for transfers";

std::size_t bytesFor(std::size_t slots) {
  return std::max<std::size_t>(slots, 1) * sizeof(TransferSlot);
}

}  // namespace

Expected<TransferTable, LabError> TransferTable::make(std::size_t slots) {
  OwnedDescriptor memory(memfd_create("lab-transfers", MFD_CLOEXEC));
  if (!memory || ftruncate(memory.get(), static_cast<off_t>(bytesFor(slots))) != 0) return setUpError(kWhat);
  return map(std::move(memory), slots, PROT_READ | PROT_WRITE);
}

Expected<TransferTable, LabError> TransferTable::adopt(OwnedDescriptor memory, std::size_t slots) {
  struct stat facts {};
  if (fstat(memory.get(), &facts) != 0) return setUpError(kWhat);
  if (static_cast<std::size_t>(facts.st_size) < bytesFor(slots)) {
    errno = EINVAL;
    return setUpError(kWhat);
  }
  return map(std::move(memory), slots, PROT_READ);
}

Expected<TransferTable, LabError> TransferTable::map(OwnedDescriptor memory, std::size_t slots, int protection) {
  void* const start = mmap(nullptr, bytesFor(slots), protection, MAP_SHARED, memory.get(), 0);
  if (start == MAP_FAILED) return setUpError(kWhat);
  return TransferTable(std::move(memory), static_cast<TransferSlot*>(start), bytesFor(slots));
}

TransferTable::TransferTable(TransferTable&& other) noexcept
    : m_memory(std::move(other.m_memory)),
      m_slots(std::exchange(other.m_slots, nullptr)),
      m_bytes(std::exchange(other.m_bytes, 0)) {}

TransferTable& TransferTable::operator=(TransferTable&& other) noexcept {
  std::swap(m_memory, other.m_memory);
  std::swap(m_slots, other.m_slots);
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

}  // namespace tcpscope::lab
