#include "core/model/current_rtt.h"

namespace tcpscope {

namespace {

bool onlyReceives(const TcpInfoSample& info) {
  constexpr Microseconds kLong = std::chrono::seconds(5);
  const auto sinceSent = info.lastDataSent();
  const auto sinceReceived = info.lastDataRecv();
  return sinceSent && sinceReceived && *sinceSent - *sinceReceived > kLong;
}

}  // namespace

std::optional<CurrentRtt> currentRtt(const TcpInfoSample& info) {
  const auto rtt = info.rtt();
  if (!rtt || rtt->count() == 0) return std::nullopt;
  return CurrentRtt{*rtt, onlyReceives(info)};
}

}  // namespace tcpscope
