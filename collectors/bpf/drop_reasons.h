// The names of the reasons for which the kernel drops a packet, and which of them are not the loss of a packet.
//
// Numbers differ between kernels, names do not: both are read from the running kernel's type information (BTF).
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>

#include "collectors/bpf/kernel_record.h"
#include "core/model/loss_report.h"

namespace tcpscope {

/// Is the packet of such a reason, without "SKB_DROP_REASON_", no loss: consumed, or a copy of what arrived?
bool isNoLoss(std::string_view reason);

class DropReasons {
public:
  /// As the enumeration calls it, with its prefix.
  void add(std::uint32_t number, std::string_view enumerator);
  [[nodiscard]] bool empty() const { return m_names.empty(); }
  [[nodiscard]] DropReason reason(std::uint32_t number) const;
  /// Absent where the kernel has no reason of this name.
  [[nodiscard]] std::optional<std::uint32_t> numberOf(std::string_view name) const;
  /// Bit n set: reason n is no loss.
  [[nodiscard]] std::array<std::uint64_t, kBitmapWords> noLoss() const;

private:
  std::map<std::uint32_t, std::string> m_names;
};

}  // namespace tcpscope
