#include "core/model/current_rtt.h"

namespace tcpscope {

namespace {

bool isKnown(const std::optional<Microseconds>& time) {
  return time && time->count() > 0;
}

/// The peer's data went on for this long after the last data of this end.
bool onlyReceives(const TcpInfoSample& info) {
  constexpr Microseconds kLong = std::chrono::seconds(5);
  const auto sinceSent = info.lastDataSent();
  const auto sinceReceived = info.lastDataRecv();
  return sinceSent && sinceReceived && *sinceSent - *sinceReceived > kLong;
}

}  // namespace

std::optional<CurrentRtt> currentRtt(const TcpInfoSample& info) {
  const bool isOld = onlyReceives(info);
  if (isOld && isKnown(info.rcvRtt())) return CurrentRtt{*info.rcvRtt(), RttSource::receiver};
  if (!isKnown(info.rtt())) return std::nullopt;
  return CurrentRtt{*info.rtt(), isOld ? RttSource::old : RttSource::smoothed};
}

}  // namespace tcpscope
