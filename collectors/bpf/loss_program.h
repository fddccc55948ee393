// The program in the kernel that reports dropped packets and retransmissions: loads and attaches it, and reads its
// records.
//
// Needs CAP_BPF and CAP_PERFMON (root), type information of the kernel (CONFIG_DEBUG_INFO_BTF) and Linux 5.18, the
// first that reports a reason. It ends with the object: nothing stays attached.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "collectors/bpf/drop_reasons.h"
#include "core/base/expected.h"
#include "core/host/capability.h"

namespace tcpscope {

using KernelRecordSink = std::function<void(std::span<const std::byte> record)>;

class LossProgram {
public:
  static Expected<std::unique_ptr<LossProgram>, CapabilityReason> open();
  ~LossProgram();
  LossProgram(const LossProgram&) = delete;
  LossProgram& operator=(const LossProgram&) = delete;

  /// All that was written since the last time, and meanwhile.
  void drain(const KernelRecordSink& sink);
  /// Events that were not written because the ring was full, or the cap was reached; never less than before.
  [[nodiscard]] std::uint64_t lost() const;
  /// Readable once so much waits that it should be drained.
  [[nodiscard]] int descriptor() const;
  [[nodiscard]] DropReason reason(std::uint32_t number) const;

private:
  struct Loaded;
  explicit LossProgram(std::unique_ptr<Loaded> loaded);

  std::unique_ptr<Loaded> m_loaded;
};

}  // namespace tcpscope
