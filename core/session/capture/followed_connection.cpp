#include "core/session/capture/followed_connection.h"

#include "core/session/capture/packet_log.h"

namespace tcpscope {

namespace {

void takeEntry(FollowedConnection& followed, const LoggedPackets& log) {
  const FlowSide side = log.side();
  CaptureConnection& connection = *followed.connection;
  switch (log.kind()) {
    case LoggedKind::copy:
      connection.noteCopy(side, PacketLikeness::copy);
      break;
    case LoggedKind::undecidedEarly:
      connection.noteCopy(side, PacketLikeness::undecided);
      break;
    case LoggedKind::vainWait:
      connection.noteVainWait();
      break;
    case LoggedKind::early:
      connection.noteEarly(side);
      break;
    case LoggedKind::undecidedCopy:
      connection.noteCopy(side, PacketLikeness::undecided);
      [[fallthrough]];
    case LoggedKind::packet:
      followed.followers->take(log.packet(), {&connection, 0, side});
      break;
  }
}

}  // namespace

FollowedConnection FollowedConnection::fromLog(const std::array<Endpoint, 2>& ends, std::span<const std::uint8_t> log) {
  LoggedPackets entries(log, ends);
  entries.next();
  FollowedConnection followed = begin(ends, entries.packet().time);
  do {
    takeEntry(followed, entries);
  } while (entries.next());
  return followed;
}

}  // namespace tcpscope
