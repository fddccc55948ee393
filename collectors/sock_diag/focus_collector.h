// The collector of the socket in focus: one exact request a slot, at up to 1 kHz.
//
// A collector of its own, and so a thread of its own: one receive of a dump and its decoding may take longer than a
// sample may be late. Its thread asks the scheduler for punctuality within what every user may. Samples that are close
// together are handed on together, at the latest 50 ms after the first of them.
#pragma once

#include "collectors/sock_diag/focus_sampler.h"
#include "collectors/sock_diag/late_wake_ups.h"
#include "collectors/sock_diag/slot_schedule.h"
#include "collectors/source/collector.h"

namespace tcpscope {

class FocusCollector final : public Collector {
public:
  static constexpr CollectorDescription kDescription{
      "sock_diag_focus", "TCP_INFO and socket memory of the connection in focus, up to a thousand times a second"};

  static Expected<std::unique_ptr<FocusCollector>, NetlinkError> open(const SockDiagAccess& access,
                                                                      const SockDiagSettings& settings);

  [[nodiscard]] CollectorDescription describe() const override { return kDescription; }
  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override;

private:
  FocusCollector(std::function<Moment()> now, FocusSampler sampler)
      : m_now(std::move(now)), m_sampler(std::move(sampler)) {}
  void accept(const CollectorRequest& request);
  enum class WaitEnd : std::uint8_t { slot, request, signal };
  /// Until the next slot, or for ever without a focus, unless a request or a stop comes first: while a batch is
  /// gathered, both wait until it is handed on.
  [[nodiscard]] WaitEnd wait(int wakeDescriptor) const;
  void sample(const ObservationSink& sink);

  std::function<Moment()> m_now;
  FocusSampler m_sampler;
  SlotSchedule m_slots;
  LateWakeUps m_wakeUps;
  /// Empty also when the socket is gone.
  std::optional<SocketAddress> m_focus;
  CollectorRequest m_request;
};

}  // namespace tcpscope
