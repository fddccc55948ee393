#include "app/lab/path/path_log.h"

#include "app/lab/path/packet_header.h"

namespace tcpscope::lab {

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
