// One socket's observation as a record of a frame: a fixed part, then tagged parts with a length each, so that a reader
// passes over those that it does not know.
//
// TCP_INFO goes as the kernel's own bytes, its four ages aside: they go as the moments that they imply.
#pragma once

#include "collectors/trace/wire_bytes.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

/// What a record does not say.
struct RecordContext {
  PlaceId place;
  AccecnLayout accecnLayout = AccecnLayout::unknown;
  /// Bytes of TCP_INFO are in the other order than this host's: they cannot be read here.
  bool foreignByteOrder = false;
  /// Added to every moment.
  Nanoseconds clockOffset{0};
};

/// Appends the record with its length.
void appendSocketRecord(std::vector<std::byte>& out, const SocketObservation& socket);

/// Takes the next record off the reader. Nothing where it is damaged; the records behind it can still be read unless
/// the reader itself failed.
std::optional<SocketObservation> readSocketRecord(WireReader& reader, const RecordContext& context);

/// The smallest record in bytes, its length included.
inline constexpr std::size_t kSmallestSocketRecord = 46;

void appendProgramWaits(WireWriter& writer, const ProgramWaits& waits);
/// Never longer than the time they are of, whatever the bytes say.
ProgramWaits readProgramWaits(WireReader& reader, Nanoseconds clockOffset);
/// What recordings of earlier versions do not have of them.
void appendProgramLoad(WireWriter& writer, const ProgramWaits& waits);
void readProgramLoad(WireReader& reader, ProgramWaits& waits);

void appendEndpoint(WireWriter& writer, const Endpoint& endpoint);
std::optional<Endpoint> readEndpoint(WireReader& reader);

}  // namespace tcpscope
