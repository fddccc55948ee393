#include "app/lab/traffic/sending_program.h"

#include <algorithm>
#include <memory>

#include "app/lab/traffic/sending_stream.h"

namespace tcpscope::lab {

void runSendingProgram(const TrafficPlan& plan, TransferTable& table, Moment runStart) {
  auto loop = EventLoop::make();
  if (!loop) return;
  ProgramMeter meter(table.host(plan.sender));
  loop->meterWith(meter);
  std::size_t connections = 0;
  const auto next = [&]() -> std::optional<std::size_t> {
    if (connections == plan.slotCount) return std::nullopt;
    return connections++;
  };
  std::vector<std::unique_ptr<SendingStream>> streams;
  const std::size_t places = std::min(std::max<std::size_t>(plan.settings.streams, 1), plan.slotCount);
  for (std::size_t place = 0; place < places; ++place) {
    streams.push_back(std::make_unique<SendingStream>(plan, table, *loop, next));
    loop->wakeAt(runStart + plan.settings.start, *streams.back());
  }
  loop->run();
}

}  // namespace tcpscope::lab
