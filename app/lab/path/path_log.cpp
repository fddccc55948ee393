#include "app/lab/path/path_log.h"

#include "app/lab/path/packet_header.h"

namespace tcpscope::lab {

std::string_view name(PathEventKind kind) {
  switch (kind) {
    case PathEventKind::randomLoss:
      return "random_loss";
    case PathEventKind::queueDrop:
      return "queue_drop";
    case PathEventKind::earlyDrop:
      return "early_drop";
    case PathEventKind::ecnMark:
      return "ecn_mark";
    case PathEventKind::mtuDrop:
      return "mtu_drop";
    case PathEventKind::duplicate:
      return "duplicate";
    case PathEventKind::reordered:
      return "reordered";
    case PathEventKind::deviceDrop:
      return "device_drop";
    case PathEventKind::policerDrop:
      return "policer_drop";
    case PathEventKind::breakDrop:
      return "break_drop";
  }
  return "unknown";
}

bool isDrop(PathEventKind kind) {
  return kind != PathEventKind::duplicate && kind != PathEventKind::ecnMark && kind != PathEventKind::reordered;
}

PathEvent pathEvent(PathEventKind kind, std::uint16_t link, std::span<const std::uint8_t> packet, Moment time) {
  PathEvent event;
  event.time = time;
  event.kind = kind;
  event.link = link;
  if (const auto header = readPacketHeader(packet)) {
    event.source = header->source;
    event.destination = header->destination;
    event.sequence = header->sequence;
    event.payloadBytes = header->payloadBytes;
  }
  return event;
}

}  // namespace tcpscope::lab
