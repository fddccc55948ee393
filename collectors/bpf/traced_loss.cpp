#include "collectors/bpf/traced_loss.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace tcpscope {

namespace {

std::optional<IpAddress> addressOf(std::uint16_t family, const std::uint8_t (&bytes)[16]) {
  std::array<std::uint8_t, 16> all{};
  std::copy(std::begin(bytes), std::end(bytes), all.begin());
  if (family == AF_INET) return IpAddress::v4({all[0], all[1], all[2], all[3]});
  if (family != AF_INET6) return std::nullopt;
  // A socket of IPv6 may have a connection over IPv4: the packets' headers have other addresses then.
  return IpAddress::v6(all).unmapped();
}

Moment momentOf(std::uint64_t nanoseconds) {
  return Moment::fromNanoseconds(static_cast<std::int64_t>(std::min<std::uint64_t>(nanoseconds, INT64_MAX)));
}

}  // namespace

std::optional<TracedLoss> decodeKernelRecord(std::span<const std::byte> record) {
  KernelRecord written{};
  if (record.size() < sizeof written) return std::nullopt;
  std::memcpy(&written, record.data(), sizeof written);
  if (written.kind != kRecordOfDrop && written.kind != kRecordOfRetransmission) return std::nullopt;
  const auto source = addressOf(written.family, written.source);
  const auto destination = addressOf(written.family, written.destination);
  if (!source || !destination) return std::nullopt;
  TracedLoss event;
  event.segment.source = {*source, written.sourcePort};
  event.segment.destination = {*destination, written.destinationPort};
  event.segment.at = momentOf(written.atNanoseconds);
  event.segment.sequence = written.sequence;
  event.segment.sequenceLength = written.sequenceLength;
  if (written.networkNamespace != 0) event.segment.networkNamespace = written.networkNamespace;
  if (written.kind == kRecordOfDrop) event.dropReason = written.reason;
  event.begun = momentOf(written.begunNanoseconds);
  return event;
}

}  // namespace tcpscope
