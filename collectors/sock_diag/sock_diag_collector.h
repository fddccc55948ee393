// The collector of live TCP sockets: every socket at the list's interval, the socket in focus at up to 1 kHz.
//
// Slots are absolute: a late sample does not move the ones after it, and a slot that passed unused is counted. A dump
// yields to a due sample between two receives. Where a dump takes long, the interval stretches so that dumps take at
// most a quarter of the time.
#pragma once

#include "collectors/collector.h"
#include "collectors/sock_diag/sock_diag_poller.h"

namespace tcpscope {

/// The moments at which something is due, every `interval` from a start.
class SlotSchedule {
public:
  void start(Moment first, Nanoseconds interval);
  [[nodiscard]] Moment next() const { return m_next; }
  [[nodiscard]] bool isDue(Moment now) const { return now >= m_next; }
  /// Goes on behind `now`: how many slots passed unused beside the one that is taken.
  std::uint64_t take(Moment now);

private:
  Moment m_next;
  Nanoseconds m_interval{1};
};

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
  void sampleFocus(const ObservationSink& sink);
  void wait(int wakeDescriptor) const;

  std::function<Moment()> m_now;
  std::unique_ptr<SockDiagPoller> m_poller;
  CollectorRequest m_request;
  SlotSchedule m_list;
  SlotSchedule m_focus;
  bool m_hasRequest = false;
  bool m_isFocusGone = false;
  bool m_isDumping = false;
  bool m_isRepeat = false;
  unsigned m_steps = 0;
  Moment m_dumpBegan;
};

}  // namespace tcpscope
