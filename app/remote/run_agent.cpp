#include "app/remote/run_agent.h"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace tcpscope {

int runAgent(int requestsDescriptor, int /*framesDescriptor*/, const AgentSettings& /*settings*/) {
  std::array<char, 4096> bytes{};
  while (true) {
    const ssize_t count = ::read(requestsDescriptor, bytes.data(), bytes.size());
    if (count == 0) return 0;
    if (count < 0 && errno != EINTR) return errno;
  }
}

}  // namespace tcpscope
