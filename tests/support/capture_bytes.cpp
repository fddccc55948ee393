#include "tests/support/capture_bytes.h"

#include <algorithm>

namespace tcpscope::test {

namespace {

constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

Octets ordered(std::uint64_t value, std::size_t size, bool isBigEndian) {
  Octets bytes = bigEndian(value, size);
  if (!isBigEndian) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

std::uint32_t wireBytesOf(const RecordedFrame& frame) {
  return frame.wireBytes.value_or(static_cast<std::uint32_t>(frame.bytes.size()));
}

Octets padded(Octets bytes) {
  bytes.resize((bytes.size() + 3) / 4 * 4);
  return bytes;
}

}  // namespace

Octets pcapFile(const std::vector<RecordedFrame>& frames, const PcapShape& shape) {
  const auto number = [&shape](std::uint64_t value, std::size_t size) {
    return ordered(value, size, shape.isBigEndian);
  };
  Octets file = number(shape.hasNanoseconds ? 0xa1b23c4d : 0xa1b2c3d4, 4) + number(2, 2) + number(4, 2) + number(0, 8) +
                number(262'144, 4) + number(shape.linkType, 4);
  for (const RecordedFrame& frame : frames) {
    const auto time = static_cast<std::uint64_t>(frame.time.nanoseconds());
    const std::uint64_t part = time % kNanosecondsPerSecond / (shape.hasNanoseconds ? 1 : 1000);
    file = std::move(file) + number(time / kNanosecondsPerSecond, 4) + number(part, 4) + number(frame.bytes.size(), 4) +
           number(wireBytesOf(frame), 4) + frame.bytes;
  }
  return file;
}

Octets PcapngText::number(std::uint64_t value, std::size_t size) const {
  return ordered(value, size, m_isBigEndian);
}

Octets PcapngText::option(std::uint16_t code, const Octets& value) const {
  return number(code, 2) + number(value.size(), 2) + padded(value);
}

PcapngText& PcapngText::block(std::uint32_t type, const Octets& body) {
  const auto length = static_cast<std::uint32_t>(12 + padded(body).size());
  return block(type, padded(body), length, length);
}

PcapngText& PcapngText::block(std::uint32_t type, const Octets& body, std::uint32_t lengthInFront,
                              std::uint32_t lengthBehind) {
  m_bytes = std::move(m_bytes) + number(type, 4) + number(lengthInFront, 4) + body + number(lengthBehind, 4);
  return *this;
}

PcapngText& PcapngText::section(bool isBigEndian) {
  m_isBigEndian = isBigEndian;
  m_interfaces.clear();
  return block(0x0a0d0d0a, number(0x1a2b3c4d, 4) + number(1, 2) + number(0, 2) + Octets(8, std::byte{0xff}));
}

PcapngText& PcapngText::interface(const InterfaceShape& shape) {
  m_interfaces.push_back(shape);
  Octets body =
      number(shape.linkType, 2) + number(0, 2) + number(shape.snapBytes, 4) + option(2, octets({'e', 't', 'h', '0'}));
  if (shape.resolution != 6) body = std::move(body) + option(9, number(shape.resolution, 1));
  if (shape.offsetSeconds != 0)
    body = std::move(body) + option(14, number(static_cast<std::uint64_t>(shape.offsetSeconds), 8));
  return block(1, std::move(body) + option(0, {}));
}

/// Rounded up in binary clocks, so that the reader's rounding down gives the same nanosecond.
Octets PcapngText::timeOf(std::uint32_t interface, WallTime time) const {
  const InterfaceShape shape = interface < m_interfaces.size() ? m_interfaces[interface] : InterfaceShape();
  const auto sinceOffset = static_cast<std::uint64_t>(
      time.nanoseconds() - shape.offsetSeconds * static_cast<std::int64_t>(kNanosecondsPerSecond));
  const std::uint64_t seconds = sinceOffset / kNanosecondsPerSecond;
  const std::uint64_t part = sinceOffset % kNanosecondsPerSecond;
  std::uint64_t units = 0;
  if ((shape.resolution & 0x80U) != 0) {
    const unsigned power = shape.resolution & 0x7fU;
    units = (seconds << power) + ((part << power) + kNanosecondsPerSecond - 1) / kNanosecondsPerSecond;
  } else {
    std::uint64_t perSecond = 1;
    for (unsigned i = 0; i < shape.resolution; ++i) perSecond *= 10;
    units = perSecond <= kNanosecondsPerSecond ? seconds * perSecond + part / (kNanosecondsPerSecond / perSecond)
                                               : seconds * perSecond + part * (perSecond / kNanosecondsPerSecond);
  }
  return number(units >> 32U, 4) + number(units & 0xffffffffU, 4);
}

PcapngText& PcapngText::packet(std::uint32_t interface, const RecordedFrame& frame, std::uint64_t lostBefore) {
  Octets body = number(interface, 4) + timeOf(interface, frame.time) + number(frame.bytes.size(), 4) +
                number(wireBytesOf(frame), 4) + padded(frame.bytes);
  if (lostBefore > 0) body = std::move(body) + option(4, number(lostBefore, 8)) + option(0, {});
  return block(6, body);
}

PcapngText& PcapngText::obsoletePacket(std::uint16_t interface, const RecordedFrame& frame, std::uint16_t lostBefore) {
  return block(2, number(interface, 2) + number(lostBefore, 2) + timeOf(interface, frame.time) +
                      number(frame.bytes.size(), 4) + number(wireBytesOf(frame), 4) + padded(frame.bytes));
}

PcapngText& PcapngText::simplePacket(const RecordedFrame& frame) {
  return block(3, number(wireBytesOf(frame), 4) + padded(frame.bytes));
}

PcapngText& PcapngText::statistics(std::uint32_t interface, std::uint64_t droppedByInterface,
                                   std::uint64_t droppedBySystem) {
  return block(5, number(interface, 4) + number(0, 8) + option(5, number(droppedByInterface, 8)) +
                      option(7, number(droppedBySystem, 8)) + option(0, {}));
}

Octets pcapngFile(const std::vector<RecordedFrame>& frames, const InterfaceShape& shape, bool isBigEndian) {
  PcapngText file(isBigEndian);
  file.interface(shape);
  for (const RecordedFrame& frame : frames) file.packet(0, frame);
  return file.bytes();
}

}  // namespace tcpscope::test
