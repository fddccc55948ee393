// Any text is a filter or an error with a place inside the text; an accepted filter evaluates and names its states.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/invariant.h"
#include "core/filter/connection_filter.h"

namespace {

using namespace tcpscope;

SocketObservation someSocket(TcpState state) {
  SocketObservation socket;
  socket.state = state;
  socket.local = {IpAddress::v4({10, 1, 2, 3}), 443};
  socket.remote = {IpAddress::v6({0x20, 0x01, 0x0d, 0xb8}), 50'000};
  socket.congestionControl = CongestionControlName("cubic");
  std::array<std::byte, tcp_info::kKnownSize> bytes{};
  bytes.fill(std::byte{5});
  socket.info = TcpInfoSample(bytes);
  return socket;
}

void evaluate(const ConnectionFilter& filter) {
  Owner owner;
  owner.pid = 1;
  owner.processName = UntrustedText("postgres");
  IntervalMetrics interval;
  interval.sendGoodput = BitsPerSecond(1e6);
  for (const TcpState state : {TcpState::established, TcpState::listen, TcpState::timeWait}) {
    const SocketObservation socket = someSocket(state);
    const bool withAll = filter.matches({socket, &owner, &interval, Limit::receiver});
    const bool withLittle = filter.matches({socket});
    const bool possible = (filter.stateMask() >> static_cast<unsigned>(state) & 1U) != 0;
    // The mask is what the kernel is asked for: it may name too many states, never too few.
    TCPSCOPE_INVARIANT(possible || (!withAll && !withLittle));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto filter = ConnectionFilter::parse(text);
  if (filter) {
    evaluate(*filter);
  } else {
    TCPSCOPE_INVARIANT(filter.error().position <= size);
    TCPSCOPE_INVARIANT(!filter.error().expected.empty());
    TCPSCOPE_INVARIANT(sentence(filter.error(), text).find('\n') == std::string::npos);
  }
  return 0;
}
