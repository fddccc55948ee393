// Any bytes as a packet: nothing is read outside of them, what they are said to hold fits into them, a mark leaves them
// readable, and an answer is a packet to their sender that is never answered itself.
#include <cstdint>
#include <vector>

#include "app/lab/path/packet_header.h"
#include "app/lab/path/packet_too_big.h"
#include "core/base/invariant.h"

using namespace tcpscope::lab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::vector<std::uint8_t> packet(bytes, bytes + size);
  const auto answer = packetTooBigMessage(packet, tcpscope::Bytes(1280));
  const auto header = readPacketHeader(packet);
  TCPSCOPE_INVARIANT(header || !answer);
  if (!header) return 0;
  TCPSCOPE_INVARIANT(header->payloadBytes <= size);
  if (answer) {
    const auto answerHeader = readPacketHeader(*answer);
    TCPSCOPE_INVARIANT(answerHeader && answerHeader->destination.address == header->source.address);
    TCPSCOPE_INVARIANT(!packetTooBigMessage(*answer, tcpscope::Bytes(1280)));
  }
  markCongestionExperienced(packet);
  const auto marked = readPacketHeader(packet);
  TCPSCOPE_INVARIANT(marked && marked->ecn == EcnCodepoint::congestionExperienced);
  TCPSCOPE_INVARIANT(marked->source == header->source && marked->sequence == header->sequence);
  return 0;
}
