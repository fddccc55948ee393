#include "collectors/tracepoint/retransmit_event.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "collectors/tracepoint/perf_ring.h"

namespace tcpscope {
namespace {

/// Of Linux 6.18.
const std::string kFormat = R"(name: tcp_retransmit_skb
ID: 2281
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:const void * skbaddr;	offset:8;	size:8;	signed:0;
	field:const void * skaddr;	offset:16;	size:8;	signed:0;
	field:int state;	offset:24;	size:4;	signed:1;
	field:__u16 sport;	offset:28;	size:2;	signed:0;
	field:__u16 dport;	offset:30;	size:2;	signed:0;
	field:__u16 family;	offset:32;	size:2;	signed:0;
	field:__u8 saddr[4];	offset:34;	size:4;	signed:0;
	field:__u8 daddr[4];	offset:38;	size:4;	signed:0;
	field:__u8 saddr_v6[16];	offset:42;	size:16;	signed:0;
	field:__u8 daddr_v6[16];	offset:58;	size:16;	signed:0;
	field:int err;	offset:76;	size:4;	signed:1;

print fmt: "skbaddr=%p sport=%hu", REC->skbaddr, REC->sport
)";

std::string without(std::string text, const std::string& line) {
  const std::size_t at = text.find(line);
  return text.erase(at, text.find('\n', at) + 1 - at);
}

constexpr Moment kAt = Moment::fromNanoseconds(4711);
constexpr std::size_t kRecordBytes = 80;

class Record {
public:
  Record& word(std::size_t offset, std::uint16_t value) {
    std::memcpy(m_bytes.data() + offset, &value, sizeof value);
    return *this;
  }
  Record& octets(std::size_t offset, const std::vector<int>& values) {
    for (std::size_t index = 0; index < values.size(); ++index)
      m_bytes.at(offset + index) = static_cast<std::byte>(values[index]);
    return *this;
  }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return m_bytes; }

private:
  std::vector<std::byte> m_bytes = std::vector<std::byte>(kRecordBytes);
};

Record recordOf4() {
  return Record()
      .word(28, 443)
      .word(30, 50'000)
      .word(32, 2)
      .octets(34, {192, 0, 2, 1})
      .octets(38, {198, 51, 100, 7})
      .octets(52, {255, 255, 192, 0, 2, 1})
      .octets(68, {255, 255, 198, 51, 100, 7});
}

TEST(RetransmitEvent, OneThatCouldNotBeSentIsNone) {
  const auto layout = parseRetransmitFormat(kFormat);
  ASSERT_TRUE(layout);
  EXPECT_FALSE(decodeRetransmit(*layout, recordOf4().octets(76, {0xf5, 0xff, 0xff, 0xff}).bytes(), kAt)) << "EAGAIN";
}

TEST(RetransmitEvent, IsReadByItsDescription) {
  const auto layout = parseRetransmitFormat(kFormat);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->id, 2281U);
  const auto event = decodeRetransmit(*layout, recordOf4().bytes(), kAt);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->local.toString(), "192.0.2.1:443");
  EXPECT_EQ(event->remote.toString(), "198.51.100.7:50000");
  EXPECT_EQ(event->at, kAt);
}

TEST(RetransmitEvent, KnowsBothFamilies) {
  const auto layout = parseRetransmitFormat(kFormat);
  const auto event = decodeRetransmit(
      *layout,
      Record().word(28, 1).word(30, 2).word(32, 10).octets(42, {0x20, 1, 0xd, 0xb8}).octets(58, {0xfe, 0x80}).bytes(),
      kAt);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->local.toString(), "[2001:db8::]:1");
  EXPECT_EQ(event->remote.toString(), "[fe80::]:2");
  EXPECT_FALSE(decodeRetransmit(*layout, Record().word(32, 1).bytes(), kAt)) << "not of IP";
}

TEST(RetransmitEvent, TakesTheFamilyFromTheAddressWhereTheKernelDoesNotReportIt) {
  const auto layout = parseRetransmitFormat(without(kFormat, "\tfield:__u16 family"));
  ASSERT_TRUE(layout);
  EXPECT_EQ(decodeRetransmit(*layout, recordOf4().bytes(), kAt)->local.toString(), "192.0.2.1:443");
}

TEST(RetransmitEvent, RefusesIncompleteOrDoubtfulFormats) {
  EXPECT_FALSE(parseRetransmitFormat(""));
  EXPECT_FALSE(parseRetransmitFormat(without(kFormat, "ID:")));
  EXPECT_FALSE(parseRetransmitFormat(without(kFormat, "\tfield:__u16 sport")));
  EXPECT_FALSE(parseRetransmitFormat(without(kFormat, "\tfield:__u8 daddr_v6")));
  std::string far = kFormat;
  far.replace(far.find("offset:58"), 9, "offset:99999999999");
  EXPECT_FALSE(parseRetransmitFormat(far));
  std::string wide = kFormat;
  wide.replace(wide.find("size:16"), 7, "size:15");
  EXPECT_FALSE(parseRetransmitFormat(wide));
}

TEST(RetransmitEvent, RefusesShortRecords) {
  const auto layout = parseRetransmitFormat(kFormat);
  const auto bytes = recordOf4().bytes();
  EXPECT_TRUE(decodeRetransmit(*layout, std::span(bytes).first(layout->length), kAt));
  EXPECT_FALSE(decodeRetransmit(*layout, std::span(bytes).first(layout->length - 1), kAt));
}

/// Records as the kernel writes them into a ring.
class Ring {
public:
  Ring& sample(std::uint64_t time, std::uint32_t rawBytes, std::uint32_t saidBytes) {
    header(PERF_RECORD_SAMPLE, 12 + rawBytes);
    put(time);
    put(saidBytes);
    m_bytes.resize(m_bytes.size() + rawBytes);
    return *this;
  }
  Ring& lost(std::uint64_t count) {
    header(PERF_RECORD_LOST, 16);
    put(std::uint64_t{1});
    put(count);
    return *this;
  }
  Ring& bytes(std::size_t count) {
    m_bytes.resize(m_bytes.size() + count);
    return *this;
  }
  [[nodiscard]] std::span<const std::byte> all() const { return m_bytes; }

private:
  void header(std::uint32_t type, std::size_t body) {
    perf_event_header header{};
    header.type = type;
    header.size = static_cast<std::uint16_t>(sizeof header + body);
    put(header);
  }
  template <class Value>
  void put(const Value& value) {
    const auto* const first = reinterpret_cast<const std::byte*>(&value);
    m_bytes.insert(m_bytes.end(), first, first + sizeof value);
  }
  std::vector<std::byte> m_bytes;
};

std::vector<std::pair<std::int64_t, std::size_t>> samplesOf(const Ring& ring, std::uint64_t& lost) {
  std::vector<std::pair<std::int64_t, std::size_t>> samples;
  lost = readPerfRecords(ring.all(), [&](std::span<const std::byte> record, Moment at) {
    samples.emplace_back(at.nanoseconds(), record.size());
  });
  return samples;
}

TEST(PerfRecords, AreReadInTheirOrderAndLossesCounted) {
  std::uint64_t lost = 0;
  const auto samples = samplesOf(Ring().sample(100, 80, 80).lost(7).sample(200, 84, 80), lost);
  EXPECT_EQ(samples, (std::vector<std::pair<std::int64_t, std::size_t>>{{100, 80}, {200, 80}}));
  EXPECT_EQ(lost, 7U);
}

TEST(PerfRecords, EndWhereALengthLies) {
  std::uint64_t lost = 0;
  EXPECT_TRUE(samplesOf(Ring().sample(100, 80, 4000), lost).empty());
  EXPECT_TRUE(samplesOf(Ring().bytes(64), lost).empty()) << "a length of zero leads nowhere";
  EXPECT_TRUE(samplesOf(Ring().bytes(3), lost).empty());
}

}  // namespace
}  // namespace tcpscope
