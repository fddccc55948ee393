#include "app/lab/traffic/receiving_program.h"

#include <sys/epoll.h>

#include <memory>

#include "app/lab/traffic/receiving_stream.h"
#include "app/lab/traffic/starved_process.h"
#include "app/lab/traffic/traffic_socket.h"

namespace tcpscope::lab {

namespace {

class Door final : public EventTarget {
public:
  Door(const TrafficPlan& plan, int listener, TransferTable& table, EventLoop& loop)
      : m_plan(plan), m_listener(listener), m_table(table), m_loop(loop) {}

  void ready() override {
    for (IncomingConnection incoming = acceptConnection(m_listener); incoming.socket;
         incoming = acceptConnection(m_listener)) {
      const auto slot = m_plan.slotOf(incoming.sourcePort);
      if (!slot) continue;
      m_streams.push_back(
          std::make_unique<ReceivingStream>(m_plan, m_table.slot(*slot), m_loop, std::move(incoming.socket)));
    }
  }
  void due() override {}

private:
  const TrafficPlan& m_plan;
  int m_listener;
  TransferTable& m_table;
  EventLoop& m_loop;
  std::vector<std::unique_ptr<ReceivingStream>> m_streams;
};

}  // namespace

void runReceivingProgram(const TrafficPlan& plan, const OwnedDescriptor& listener, TransferTable& table) {
  auto loop = EventLoop::make();
  // Nothing is measured in the place of what the scenario asks for.
  if (!loop || (plan.settings.starvedReader && !starveThisProcess())) return;
  ProgramMeter meter(table.host(plan.receiver));
  loop->meterWith(meter);
  Door door(plan, listener.get(), table, *loop);
  loop->watch(listener.get(), EPOLLIN, door);
  loop->run();
}

}  // namespace tcpscope::lab
