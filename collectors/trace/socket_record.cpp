#include "collectors/trace/socket_record.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace tcpscope {

namespace {

/// The numbers are on the wire: they are never given again.
enum class Part : std::uint8_t {
  tcpInfo = 1,
  ages = 2,
  memory = 3,
  bbr = 4,
  cgroup = 5,
  congestionControl = 6,
  bufferLocks = 7,
  unchangedUntil = 8,
  /// In place of tcpInfo where it has holes: which, then the bytes. A reader that does not know holes must not take
  /// them for zeros.
  tcpInfoWithHoles = 9,
  /// Pairs of the attribute's number and its byte.
  byteAttributes = 10,
  nagleOptions = 11,
  timer = 12,
  programWaits = 13,
  userTimeout = 14,
};

constexpr std::array<TcpInfoField<Microseconds, std::uint32_t, tcp_info::millisecondsToMicroseconds>, 4> kAges = {
    tcp_info::kLastDataSent, tcp_info::kLastAckSent, tcp_info::kLastDataRecv, tcp_info::kLastAckRecv};
constexpr std::size_t kAgesBegin = tcp_info::kLastDataSent.offset;
constexpr std::size_t kAgesEnd = tcp_info::kLastAckRecv.end();
constexpr std::size_t kMemoryFigures = 8;

template <class Fill>
void appendPart(std::vector<std::byte>& record, Part part, Fill&& fill) {
  record.push_back(static_cast<std::byte>(part));
  // Every part is shorter than 16 KiB: its length takes two bytes at most, and is known only behind it.
  std::vector<std::byte> value;
  WireWriter writer(value);
  fill(writer);
  WireWriter length(record);
  length.count(value.size());
  length.bytes(value);
}

constexpr std::size_t kHoleBytes = (TcpInfoHoles::kBits + 7) / 8;

void appendHoles(WireWriter& writer, const TcpInfoHoles& holes) {
  for (std::size_t octet = 0; octet < kHoleBytes; ++octet) {
    std::uint8_t bits = 0;
    for (std::size_t bit = 8 * octet; bit < std::min(8 * octet + 8, TcpInfoHoles::kBits); ++bit) {
      if (holes.bits()[bit]) bits = static_cast<std::uint8_t>(bits | 1U << bit % 8);
    }
    writer.number(bits);
  }
}

TcpInfoHoles readHoles(WireReader& reader) {
  TcpInfoHoles::Bits bits;
  for (std::size_t octet = 0; octet < kHoleBytes; ++octet) {
    const auto byte = reader.number<std::uint8_t>();
    for (std::size_t bit = 8 * octet; bit < std::min(8 * octet + 8, TcpInfoHoles::kBits); ++bit) {
      bits[bit] = (byte >> bit % 8 & 1U) != 0;
    }
  }
  return TcpInfoHoles(bits);
}

void appendTcpInfo(std::vector<std::byte>& record, const SocketObservation& socket) {
  const std::span<const std::byte> info = socket.info.bytes();
  if (info.empty()) return;
  const bool isWhole = socket.info.holes().none();
  const Part part = isWhole ? Part::tcpInfo : Part::tcpInfoWithHoles;
  const auto begin = [&](WireWriter& writer) {
    if (!isWhole) appendHoles(writer, socket.info.holes());
  };
  if (info.size() < kAgesEnd) {
    appendPart(record, part, [&](WireWriter& writer) {
      begin(writer);
      writer.bytes(info);
    });
    return;
  }
  appendPart(record, part, [&](WireWriter& writer) {
    begin(writer);
    constexpr std::array<std::byte, kAgesEnd - kAgesBegin> kNoAges{};
    writer.bytes(info.first(kAgesBegin));
    writer.bytes(kNoAges);
    writer.bytes(info.subspan(kAgesEnd));
  });
  appendPart(record, Part::ages, [&](WireWriter& writer) {
    for (const auto& age : kAges) writer.moment(socket.takenAt - age.read(info).value_or(Microseconds(0)));
  });
}

void appendMemory(WireWriter& writer, const SocketMemory& memory) {
  for (const Bytes figure : {memory.receiveAllocated, memory.receiveBuffer, memory.sendAllocated, memory.sendBuffer,
                             memory.forwardAllocated, memory.sendQueued, memory.optionMemory, memory.backlog}) {
    writer.count(figure.value());
  }
  if (memory.drops) writer.count(memory.drops->value());
}

SocketMemory readMemory(WireReader& reader) {
  std::array<std::uint64_t, kMemoryFigures> figures{};
  for (std::uint64_t& figure : figures) figure = reader.count();
  SocketMemory memory{Bytes(figures[0]), Bytes(figures[1]), Bytes(figures[2]), Bytes(figures[3]), Bytes(figures[4]),
                      Bytes(figures[5]), Bytes(figures[6]), Bytes(figures[7]), std::nullopt};
  if (!reader.atEnd()) memory.drops = Count(reader.count());
  return memory;
}

void appendBbr(WireWriter& writer, const BbrInfo& bbr) {
  writer.real(bbr.bandwidth.value());
  writer.count(static_cast<std::uint64_t>(std::max<std::int64_t>(0, bbr.minRtt.count())));
  writer.real(bbr.pacingGainRatio);
  writer.real(bbr.congestionWindowGainRatio);
}

std::optional<BbrInfo> readBbr(WireReader& reader) {
  BbrInfo bbr;
  bbr.bandwidth = BitsPerSecond(reader.real());
  bbr.minRtt = Microseconds(static_cast<std::int64_t>(reader.count() & 0xffffffffU));
  bbr.pacingGainRatio = reader.real();
  bbr.congestionWindowGainRatio = reader.real();
  const bool isSane = std::isfinite(bbr.bandwidth.value()) && std::isfinite(bbr.pacingGainRatio) &&
                      std::isfinite(bbr.congestionWindowGainRatio);
  return isSane ? std::optional<BbrInfo>(bbr) : std::nullopt;
}

void appendTimer(WireWriter& writer, const SocketTimer& timer) {
  writer.number(static_cast<std::uint8_t>(timer.kind));
  writer.count(timer.attempts.value());
  writer.count(static_cast<std::uint64_t>(std::max<std::int64_t>(0, timer.expiresIn.count())));
}

std::optional<SocketTimer> readTimer(WireReader& reader) {
  const auto kind = reader.number<std::uint8_t>();
  SocketTimer timer;
  timer.kind = static_cast<TimerKind>(kind);
  timer.attempts = Count(reader.count() & 0xffU);
  timer.expiresIn = Milliseconds(static_cast<std::int64_t>(reader.count() & 0xffffffffU));
  const bool isKnown = kind >= static_cast<std::uint8_t>(TimerKind::retransmission) &&
                       kind <= static_cast<std::uint8_t>(TimerKind::windowProbe);
  return isKnown ? std::optional(timer) : std::nullopt;
}

/// What must wait until the whole record is known.
struct Pending {
  std::array<std::byte, tcp_info::kKnownSize> info{};
  std::size_t infoBytes = 0;
  TcpInfoHoles holes;
  std::optional<std::array<Moment, kAges.size()>> ages;
};

void readPart(Part part, WireReader value, const RecordContext& context, SocketObservation& socket, Pending& pending) {
  switch (part) {
    case Part::tcpInfoWithHoles:
      pending.holes = readHoles(value);
      [[fallthrough]];
    case Part::tcpInfo: {
      // A newer kernel's record may be longer than what is known here.
      const auto info = value.bytes(std::min(value.left(), pending.info.size()));
      std::copy(info.begin(), info.end(), pending.info.begin());
      pending.infoBytes = context.foreignByteOrder ? 0 : info.size();
      break;
    }
    case Part::ages: {
      std::array<Moment, kAges.size()> ages;
      for (Moment& age : ages) age = value.moment<Moment>();
      if (!value.failed()) pending.ages = ages;
      break;
    }
    case Part::memory: {
      const SocketMemory memory = readMemory(value);
      if (!value.failed()) socket.memory = memory;
      break;
    }
    case Part::bbr: {
      const std::optional<BbrInfo> bbr = readBbr(value);
      if (!value.failed()) socket.bbr = bbr;
      break;
    }
    case Part::cgroup: {
      const auto cgroup = value.number<std::uint64_t>();
      if (!value.failed()) socket.cgroupId = cgroup;
      break;
    }
    case Part::congestionControl: {
      const auto text = value.bytes(std::min<std::size_t>(value.left(), 15));
      socket.congestionControl = CongestionControlName({reinterpret_cast<const char*>(text.data()), text.size()});
      break;
    }
    case Part::bufferLocks: {
      const auto bits = value.number<std::uint8_t>();
      if (!value.failed()) socket.bufferLocks = BufferLocks{(bits & 1U) != 0, (bits & 2U) != 0};
      break;
    }
    case Part::nagleOptions: {
      const auto bits = value.number<std::uint8_t>();
      if (!value.failed()) socket.nagle = NagleOptions{(bits & 1U) != 0, (bits & 2U) != 0};
      break;
    }
    case Part::userTimeout: {
      const auto timeout = value.number<std::uint32_t>();
      if (!value.failed()) socket.userTimeout = Milliseconds(timeout);
      break;
    }
    case Part::programWaits: {
      ProgramWaits waits = readProgramWaits(value, context.clockOffset);
      if (value.left() > 0) readProgramLoad(value, waits);
      if (!value.failed()) socket.programWaits = waits;
      break;
    }
    case Part::timer: {
      const std::optional<SocketTimer> timer = readTimer(value);
      if (!value.failed()) socket.timer = timer;
      break;
    }
    case Part::byteAttributes: {
      while (value.left() >= 2) {
        const auto number = value.number<std::uint8_t>();
        socket.byteAttributes.set(number, value.number<std::uint8_t>());
      }
      break;
    }
    case Part::unchangedUntil: {
      const auto until = value.moment<Moment>();
      if (!value.failed() && until <= socket.takenAt) socket.unchangedUntil = until;
      break;
    }
  }
}

void restoreInfo(Pending& pending, const RecordContext& context, SocketObservation& socket) {
  if (pending.infoBytes >= kAgesEnd) {
    for (std::size_t i = 0; i < kAges.size(); ++i) {
      const Moment since = pending.ages ? (*pending.ages)[i] : socket.takenAt;
      const auto age = std::chrono::duration_cast<Milliseconds>(socket.takenAt - since).count();
      const auto raw = static_cast<std::uint32_t>(std::clamp<std::int64_t>(age, 0, UINT32_MAX));
      std::memcpy(pending.info.data() + kAges[i].offset, &raw, sizeof raw);
    }
  }
  if (pending.infoBytes > 0) {
    socket.info = TcpInfoSample(std::span(pending.info).first(pending.infoBytes), context.accecnLayout, pending.holes);
  }
}

}  // namespace

void appendEndpoint(WireWriter& writer, const Endpoint& endpoint) {
  const bool isV4 = endpoint.address.family() == AddressFamily::ipv4;
  writer.number<std::uint8_t>(isV4 ? 4 : 6);
  writer.bytes(std::as_bytes(std::span(endpoint.address.bytes()).first(isV4 ? 4 : 16)));
  writer.number(endpoint.port);
}

std::optional<Endpoint> readEndpoint(WireReader& reader) {
  const auto family = reader.number<std::uint8_t>();
  if (family != 4 && family != 6) return std::nullopt;
  std::array<std::uint8_t, 16> all{};
  const auto bytes = reader.bytes(family == 4 ? 4 : 16);
  if (reader.failed()) return std::nullopt;
  std::memcpy(all.data(), bytes.data(), bytes.size());
  const IpAddress address = family == 4 ? IpAddress::v4({all[0], all[1], all[2], all[3]}) : IpAddress::v6(all);
  return Endpoint{address, reader.number<std::uint16_t>()};
}

void appendProgramWaits(WireWriter& writer, const ProgramWaits& waits) {
  writer.moment(waits.from);
  writer.moment(waits.until);
  writer.number(static_cast<std::uint64_t>(waits.forProcessor.count()));
}

ProgramWaits readProgramWaits(WireReader& reader, Nanoseconds clockOffset) {
  const auto from = reader.moment<Moment>();
  const Moment until = std::max(from, reader.moment<Moment>());
  const auto most = static_cast<std::uint64_t>((until - from).count());
  const auto forProcessor = static_cast<std::int64_t>(std::min(reader.number<std::uint64_t>(), most));
  return {from + clockOffset, until + clockOffset, Nanoseconds(forProcessor)};
}

void appendProgramLoad(WireWriter& writer, const ProgramWaits& waits) {
  writer.flag(waits.majorFaults.has_value());
  writer.number(waits.majorFaults.value_or(0));
  writer.flag(waits.softirqRatio.has_value());
  writer.real(waits.softirqRatio.value_or(0.0));
}

void readProgramLoad(WireReader& reader, ProgramWaits& waits) {
  const bool countsFaults = reader.flag();
  const auto faults = reader.number<std::uint64_t>();
  if (countsFaults) waits.majorFaults = faults;
  const bool hasRatio = reader.flag();
  const double ratio = reader.real();
  if (hasRatio && ratio >= 0.0 && ratio <= 1.0) waits.softirqRatio = ratio;
}

void appendSocketRecord(std::vector<std::byte>& out, const SocketObservation& socket) {
  std::vector<std::byte> record;
  record.reserve(512);
  WireWriter writer(record);
  writer.number(socket.id.cookie);
  writer.moment(socket.takenAt);
  writer.number(static_cast<std::uint8_t>(socket.state));
  appendEndpoint(writer, socket.local);
  appendEndpoint(writer, socket.remote);
  writer.number(socket.userId);
  writer.number(socket.inode);
  writer.number(socket.interfaceIndex);
  writer.count(socket.receiveQueue.value());
  writer.count(socket.sendQueue.value());
  appendTcpInfo(record, socket);
  const auto part = [&record](Part kind, auto&& fill) { appendPart(record, kind, fill); };
  if (socket.memory) part(Part::memory, [&](WireWriter& value) { appendMemory(value, *socket.memory); });
  if (socket.bbr) part(Part::bbr, [&](WireWriter& value) { appendBbr(value, *socket.bbr); });
  if (socket.cgroupId) part(Part::cgroup, [&](WireWriter& value) { value.number(*socket.cgroupId); });
  if (!socket.congestionControl.empty()) {
    const std::string_view name = socket.congestionControl.text();
    part(Part::congestionControl,
         [&](WireWriter& value) { value.bytes(std::as_bytes(std::span(name.data(), name.size()))); });
  }
  if (socket.bufferLocks) {
    const BufferLocks locks = *socket.bufferLocks;
    part(Part::bufferLocks, [&](WireWriter& value) {
      value.number(static_cast<std::uint8_t>((locks.sendBuffer ? 1U : 0U) | (locks.receiveBuffer ? 2U : 0U)));
    });
  }
  if (socket.nagle) {
    const NagleOptions options = *socket.nagle;
    part(Part::nagleOptions, [&](WireWriter& value) {
      value.number(static_cast<std::uint8_t>((options.noDelay ? 1U : 0U) | (options.cork ? 2U : 0U)));
    });
  }
  if (socket.userTimeout) {
    const auto timeout = static_cast<std::uint32_t>(socket.userTimeout->count());
    part(Part::userTimeout, [&](WireWriter& value) { value.number(timeout); });
  }
  if (socket.programWaits) {
    part(Part::programWaits, [&](WireWriter& value) {
      appendProgramWaits(value, *socket.programWaits);
      appendProgramLoad(value, *socket.programWaits);
    });
  }
  if (socket.timer) part(Part::timer, [&](WireWriter& value) { appendTimer(value, *socket.timer); });
  if (!socket.byteAttributes.empty()) {
    part(Part::byteAttributes, [&](WireWriter& value) {
      for (std::uint8_t number = 1; number <= ByteAttributes::kMaxNumber; ++number) {
        const auto byte = socket.byteAttributes.get(number);
        if (!byte) continue;
        value.number(number);
        value.number(*byte);
      }
    });
  }
  if (socket.unchangedUntil) {
    part(Part::unchangedUntil, [&](WireWriter& value) { value.moment(*socket.unchangedUntil); });
  }
  WireWriter length(out);
  length.count(record.size());
  length.bytes(record);
}

std::optional<SocketObservation> readSocketRecord(WireReader& reader, const RecordContext& context) {
  const std::uint64_t size = reader.count();
  WireReader record(reader.bytes(size));
  SocketObservation socket;
  socket.id = {context.place, record.number<std::uint64_t>()};
  socket.takenAt = record.moment<Moment>();
  socket.state = tcpStateFromKernel(record.number<std::uint8_t>());
  const auto local = readEndpoint(record);
  const auto remote = readEndpoint(record);
  if (!local || !remote) return std::nullopt;
  socket.local = *local;
  socket.remote = *remote;
  socket.userId = record.number<std::uint32_t>();
  socket.inode = record.number<std::uint32_t>();
  socket.interfaceIndex = record.number<std::uint32_t>();
  socket.receiveQueue = Bytes(record.count());
  socket.sendQueue = Bytes(record.count());
  if (socket.id.cookie == 0) return std::nullopt;
  Pending pending;
  while (!record.failed() && !record.atEnd()) {
    const auto part = static_cast<Part>(record.number<std::uint8_t>());
    const std::uint64_t partBytes = record.count();
    readPart(part, WireReader(record.bytes(partBytes)), context, socket, pending);
  }
  if (record.failed()) return std::nullopt;
  restoreInfo(pending, context, socket);
  socket.takenAt = socket.takenAt + context.clockOffset;
  if (socket.unchangedUntil) socket.unchangedUntil = *socket.unchangedUntil + context.clockOffset;
  return socket;
}

}  // namespace tcpscope
