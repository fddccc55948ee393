#include "app/lab/path/path_log_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace tcpscope::lab {

namespace {

using Record = std::array<std::uint8_t, kPathRecordBytes>;

constexpr std::size_t kPendingAtMost = 256 * kPathRecordBytes;
constexpr std::size_t kReadAtOnce = 1024 * kPathRecordBytes;
constexpr std::uint8_t kIpv6 = 6;
constexpr std::uint8_t kIpv4 = 4;

struct Field {
  std::size_t at;
  std::size_t bytes;
};
constexpr Field kTime{0, 8};
constexpr Field kKind{8, 1};
constexpr Field kFamily{9, 1};
constexpr Field kLink{10, 2};
constexpr Field kSourcePort{12, 2};
constexpr Field kDestinationPort{14, 2};
constexpr Field kSequence{16, 4};
constexpr Field kPayload{20, 4};
constexpr Field kSource{24, 16};
constexpr Field kDestination{40, 16};

void put(Record& record, Field field, std::uint64_t value) {
  for (std::size_t byte = 0; byte < field.bytes; ++byte) {
    record[field.at + byte] = static_cast<std::uint8_t>(value >> 8U * byte & 0xffU);
  }
}

std::uint64_t get(std::span<const std::uint8_t, kPathRecordBytes> record, Field field) {
  std::uint64_t value = 0;
  for (std::size_t byte = 0; byte < field.bytes; ++byte) {
    value |= static_cast<std::uint64_t>(record[field.at + byte]) << 8U * byte;
  }
  return value;
}

void putAddress(Record& record, Field field, const IpAddress& address) {
  std::copy(address.bytes().begin(), address.bytes().end(), record.begin() + static_cast<std::ptrdiff_t>(field.at));
}

IpAddress getAddress(std::span<const std::uint8_t, kPathRecordBytes> record, Field field, bool isIpv6) {
  std::array<std::uint8_t, 16> bytes{};
  std::copy_n(record.begin() + static_cast<std::ptrdiff_t>(field.at), field.bytes, bytes.begin());
  return isIpv6 ? IpAddress::v6(bytes) : IpAddress::v4({bytes[0], bytes[1], bytes[2], bytes[3]});
}

}  // namespace

Record encodePathEvent(const PathEvent& event) {
  Record record{};
  put(record, kTime, static_cast<std::uint64_t>(event.time.nanoseconds()));
  put(record, kKind, static_cast<std::uint64_t>(event.kind));
  put(record, kFamily, event.source.address.family() == AddressFamily::ipv6 ? kIpv6 : kIpv4);
  put(record, kLink, event.link);
  put(record, kSourcePort, event.source.port);
  put(record, kDestinationPort, event.destination.port);
  put(record, kSequence, event.sequence);
  put(record, kPayload, event.payloadBytes);
  putAddress(record, kSource, event.source.address);
  putAddress(record, kDestination, event.destination.address);
  return record;
}

std::optional<PathEvent> decodePathEvent(std::span<const std::uint8_t, kPathRecordBytes> record) {
  const std::uint64_t family = get(record, kFamily);
  const std::uint64_t kind = get(record, kKind);
  if (family != kIpv4 && family != kIpv6) return std::nullopt;
  if (kind > static_cast<std::uint64_t>(kLastPathEventKind)) return std::nullopt;
  PathEvent event;
  event.time = Moment::fromNanoseconds(static_cast<std::int64_t>(get(record, kTime)));
  event.kind = static_cast<PathEventKind>(kind);
  event.link = static_cast<std::uint16_t>(get(record, kLink));
  event.source.port = static_cast<std::uint16_t>(get(record, kSourcePort));
  event.destination.port = static_cast<std::uint16_t>(get(record, kDestinationPort));
  event.sequence = static_cast<std::uint32_t>(get(record, kSequence));
  event.payloadBytes = static_cast<std::uint32_t>(get(record, kPayload));
  event.source.address = getAddress(record, kSource, family == kIpv6);
  event.destination.address = getAddress(record, kDestination, family == kIpv6);
  return event;
}

void PathLogWriter::append(const PathEvent& event) {
  if (m_descriptor < 0) return;
  const Record record = encodePathEvent(event);
  m_pending.insert(m_pending.end(), record.begin(), record.end());
  if (m_pending.size() >= kPendingAtMost) flush();
}

void PathLogWriter::flush() {
  std::size_t done = 0;
  while (done < m_pending.size()) {
    const ssize_t written =
        pwrite(m_descriptor, m_pending.data() + done, m_pending.size() - done, static_cast<off_t>(m_offset + done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) break;
    done += static_cast<std::size_t>(written);
  }
  // A record that was written in part is written over by the next one.
  const std::size_t whole = done / kPathRecordBytes;
  m_lost += Count(m_pending.size() / kPathRecordBytes - whole);
  m_offset += whole * kPathRecordBytes;
  m_pending.clear();
}

std::vector<PathEvent> readPathLog(int descriptor, std::size_t first) {
  std::vector<PathEvent> events;
  std::vector<std::uint8_t> buffer(kReadAtOnce);
  auto offset = static_cast<off_t>(first * kPathRecordBytes);
  while (true) {
    const ssize_t size = pread(descriptor, buffer.data(), buffer.size(), offset);
    if (size < 0 && errno == EINTR) continue;
    const std::size_t records = size > 0 ? static_cast<std::size_t>(size) / kPathRecordBytes : 0;
    if (records == 0) return events;
    for (std::size_t record = 0; record < records; ++record) {
      const std::span<const std::uint8_t, kPathRecordBytes> bytes(buffer.data() + record * kPathRecordBytes,
                                                                  kPathRecordBytes);
      const std::optional<PathEvent> event = decodePathEvent(bytes);
      if (!event) return events;
      events.push_back(*event);
    }
    offset += static_cast<off_t>(records * kPathRecordBytes);
  }
}

}  // namespace tcpscope::lab
