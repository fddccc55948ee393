#include "app/lab/engine/engine_start.h"

#include "app/lab/engine/engine_message.h"

namespace tcpscope::lab {

Expected<StartedEngine, int> startEngine() {
  auto channel = openMessageChannel();
  if (!channel) return tl::unexpected(channel.error());
  ChildCommand command;
  command.arguments = {"tcpscope-lab", kEngineArgument};
  command.program = "/proc/self/exe";
  command.descriptors = {channel->second.get()};
  command.hasDefaultSignals = true;
  auto process = ChildProcess::start(command);
  if (!process) return tl::unexpected(process.error().errorNumber);
  return StartedEngine{std::move(*process), std::move(channel->first)};
}

}  // namespace tcpscope::lab
