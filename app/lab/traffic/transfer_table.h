// The state of every connection of a run, in memory that the programs at both ends write and the lab's owner reads
// while it runs, without a request to the programs. It has the meters of the hosts, too.
//
// The sending program writes when it started, the receiving one the rest; the figures of one slot may be some
// microseconds apart.
#pragma once

#include <atomic>
#include <cstdint>

#include "app/lab/traffic/host_meter.h"
#include "app/lab/traffic/traffic_plan.h"
#include "app/lab/traffic/transfer_record.h"
#include "collectors/system/owned_descriptor.h"

namespace tcpscope::lab {

struct TransferSlot {
  /// Nanoseconds of CLOCK_MONOTONIC; 0: not yet.
  std::atomic<std::int64_t> startedAt;
  std::atomic<std::int64_t> endedAt;
  std::atomic<std::uint64_t> receivedBytes;
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free, "slots are shared between processes");

class TransferTable {
public:
  /// For `slots` connections between `hosts` hosts.
  static Expected<TransferTable, LabError> make(std::size_t slots, std::size_t hosts);
  /// What another process made, for reading only. Takes the descriptor over.
  static Expected<TransferTable, LabError> adopt(OwnedDescriptor memory, std::size_t slots, std::size_t hosts);
  TransferTable(TransferTable&& other) noexcept;
  TransferTable& operator=(TransferTable&& other) noexcept;
  TransferTable(const TransferTable&) = delete;
  TransferTable& operator=(const TransferTable&) = delete;
  ~TransferTable();

  [[nodiscard]] TransferSlot& slot(std::size_t number) { return m_slots[number]; }
  [[nodiscard]] HostMeter& host(std::size_t number) { return m_hosts[number]; }
  [[nodiscard]] int descriptor() const { return m_memory.get(); }
  /// Of the connections that were started, in the order of the plans.
  [[nodiscard]] std::vector<TransferRecord> records(const std::vector<TrafficPlan>& plans) const;
  /// Of the hosts that have programs, in their order.
  [[nodiscard]] std::vector<HostUse> hostUses(const std::vector<AttachedHost>& hosts) const;

private:
  static Expected<TransferTable, LabError> map(OwnedDescriptor memory, std::size_t slots, std::size_t hosts,
                                               int protection);
  TransferTable(OwnedDescriptor memory, TransferSlot* slots, HostMeter* hosts, std::size_t bytes)
      : m_memory(std::move(memory)), m_slots(slots), m_hosts(hosts), m_bytes(bytes) {}

  OwnedDescriptor m_memory;
  TransferSlot* m_slots = nullptr;
  HostMeter* m_hosts = nullptr;
  std::size_t m_bytes = 0;
};

}  // namespace tcpscope::lab
