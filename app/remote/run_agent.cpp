#include "app/remote/run_agent.h"

#include <csignal>

#include "app/remote/agent.h"
#include "app/remote/request_stream.h"

namespace tcpscope {

int runAgent(int requestsDescriptor, int framesDescriptor, const AgentSettings& settings) {
  std::signal(SIGPIPE, SIG_IGN);
  Expected<LocalPlace, SystemError> place =
      findLocalPlace(settings.andOthers ? std::optional(std::string(kAllNamespaces)) : std::nullopt);
  if (!place) return place.error().errorNumber;
  if (!settings.hostName.empty()) place->place.host = UntrustedText(settings.hostName);
  FrameOutput output(framesDescriptor);
  const auto agent = Agent::open(*place, output, settings.resolveOwners);
  if (!agent) return agent.error().errorNumber;
  std::stop_source stop;
  RequestStream requests(requestsDescriptor, output, stop, CollectorRequest());
  if (requests.errorNumber() != 0) return requests.errorNumber();
  requests.watchOutput();
  if (settings.whenSetUp) settings.whenSetUp();
  const auto ended = (*agent)->run(stop.get_token(), requests, [&] {
    if (output.errorNumber() != 0) stop.request_stop();
    requests.watchOutput();
  });
  return ended ? 0 : ended.error().errorNumber;
}

}  // namespace tcpscope
