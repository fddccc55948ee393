// The source of losses: each retransmission, each packet of TCP that this host drops, with the kernel's reason, and
// which retransmission is that of data which this host had dropped. Needs the right to load a program into the kernel
// (loss_program.h).
//
// Reports from every network namespace of the host, with the namespace.
#pragma once

#include <memory>

#include "collectors/bpf/loss_program.h"
#include "collectors/bpf/traced_loss.h"
#include "collectors/source/collector.h"

namespace tcpscope {

/// Turns records into events, in the order in which the kernel wrote them.
class LossReporter {
public:
  /// What happens in another namespace than `home` is elsewhere; without one nothing is.
  LossReporter(std::optional<std::uint32_t> home, Moment completeSince) : m_home(home), m_drops(completeSince) {}

  SourceEvent report(const TracedLoss& event, const std::optional<DropReason>& reason);
  /// Events were lost up to this moment.
  void missUntil(Moment moment) { m_drops.missUntil(moment); }

private:
  std::optional<std::uint32_t> m_home;
  LocalDrops m_drops;
};

class LossSource final : public Collector {
public:
  static constexpr CollectorDescription kDescription{"losses", "every retransmitted segment and every dropped packet"};

  /// Fails with the reason why it cannot work here. `home` is the inode of the place's network namespace.
  static Expected<std::unique_ptr<LossSource>, CapabilityReason> open(PlaceId place, std::optional<std::uint32_t> home);

  [[nodiscard]] CollectorDescription describe() const override { return kDescription; }
  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override;
  /// Hands on what has happened since the last call.
  void collect(const ObservationSink& sink);

private:
  LossSource(PlaceId place, std::optional<std::uint32_t> home, std::unique_ptr<LossProgram> program);

  void countLost();

  PlaceId m_place;
  std::unique_ptr<LossProgram> m_program;
  LossReporter m_reporter;
  std::uint64_t m_lostInKernel = 0;
  /// Since the last batch that was taken.
  std::uint64_t m_lost = 0;
};

}  // namespace tcpscope
