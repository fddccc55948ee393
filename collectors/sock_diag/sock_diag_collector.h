// The collector of live TCP sockets: every socket at the list's interval. The one in focus is FocusCollector's.
//
// Slots are absolute: a late dump does not move the ones after it. Where a dump takes long, the interval stretches so
// that dumps take at most a quarter of the time.
#pragma once

#include "collectors/sock_diag/slot_schedule.h"
#include "collectors/sock_diag/sock_diag_poller.h"
#include "collectors/source/collector.h"

namespace tcpscope {

class SockDiagCollector final : public Collector {
public:
  static constexpr CollectorDescription kDescription{
      "sock_diag", "TCP_INFO and socket memory of every TCP socket, from the kernel's socket diagnosis"};

  static Expected<std::unique_ptr<SockDiagCollector>, NetlinkError> open(SockDiagAccess access,
                                                                         const SockDiagSettings& settings);

  [[nodiscard]] CollectorDescription describe() const override;
  void run(std::stop_token stop, RequestSource& requests, const ObservationSink& sink) override;

private:
  SockDiagCollector(std::function<Moment()> now, std::unique_ptr<SockDiagPoller> poller);
  void accept(const CollectorRequest& request);
  [[nodiscard]] Nanoseconds listInterval() const;
  void work(const ObservationSink& sink);
  void stepDump(const ObservationSink& sink);
  void wait(int wakeDescriptor) const;

  std::function<Moment()> m_now;
  std::unique_ptr<SockDiagPoller> m_poller;
  CollectorRequest m_request;
  SlotSchedule m_list;
  bool m_hasRequest = false;
  bool m_isDumping = false;
  bool m_isRepeat = false;
  unsigned m_steps = 0;
  Moment m_dumpBegan;
};

}  // namespace tcpscope
