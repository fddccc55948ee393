// One connection of a receiving program.
#pragma once

#include "app/lab/traffic/event_loop.h"
#include "app/lab/traffic/traffic_plan.h"
#include "app/lab/traffic/transfer_table.h"

namespace tcpscope::lab {

class ReceivingStream final : public EventTarget {
public:
  ReceivingStream(const TrafficPlan& plan, TransferSlot& slot, EventLoop& loop, OwnedDescriptor socket);

  void ready() override;
  void due() override;

private:
  void read();
  void took(std::uint64_t bytes);
  void takeRequests(std::uint64_t bytes);
  void work();
  void answer();
  void end();
  void watch();

  const TrafficSettings& m_settings;
  TransferSlot& m_slot;
  EventLoop& m_loop;
  OwnedDescriptor m_socket;
  std::uint64_t m_received = 0;
  /// Bytes of the greeting and of the request that are still coming in, and of the answers that are still to go out.
  std::uint64_t m_leftOfGreeting = 0;
  std::uint64_t m_ofRequest = 0;
  std::uint64_t m_leftOfAnswers = 0;
  /// Requests that the program has not worked on.
  std::uint64_t m_requests = 0;
  bool m_isWorking = false;
};

}  // namespace tcpscope::lab
