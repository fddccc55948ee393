// State changes: the description and the records of the tracepoint, and the source without the right to trace.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "collectors/catalogue/source_catalogue.h"
#include "collectors/tracepoint/set_state_source.h"

namespace tcpscope {
namespace {

/// Of Linux 6.18.
const std::string kSetStateFormat = R"(name: inet_sock_set_state
ID: 1371
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:const void * skaddr;	offset:8;	size:8;	signed:0;
	field:int oldstate;	offset:16;	size:4;	signed:1;
	field:int newstate;	offset:20;	size:4;	signed:1;
	field:__u16 sport;	offset:24;	size:2;	signed:0;
	field:__u16 dport;	offset:26;	size:2;	signed:0;
	field:__u16 family;	offset:28;	size:2;	signed:0;
	field:__u16 protocol;	offset:30;	size:2;	signed:0;
	field:__u8 saddr[4];	offset:32;	size:4;	signed:0;
	field:__u8 daddr[4];	offset:36;	size:4;	signed:0;
	field:__u8 saddr_v6[16];	offset:40;	size:16;	signed:0;
	field:__u8 daddr_v6[16];	offset:56;	size:16;	signed:0;

print fmt: "family=%d protocol=%d", REC->family, REC->protocol
)";

constexpr Moment kChangedAt = Moment::fromNanoseconds(4711);
constexpr std::size_t kSetStateBytes = 72;

class SetStateRecord {
public:
  template <class Value>
  SetStateRecord& put(std::size_t offset, Value value) {
    std::memcpy(m_bytes.data() + offset, &value, sizeof value);
    return *this;
  }
  [[nodiscard]] const std::vector<std::byte>& bytes() const { return m_bytes; }

private:
  std::vector<std::byte> m_bytes = std::vector<std::byte>(kSetStateBytes);
};

SetStateRecord recordOf4(std::uint32_t oldState, std::uint32_t newState) {
  return SetStateRecord()
      .put(4, std::uint32_t{1234})
      .put(16, oldState)
      .put(20, newState)
      .put(24, std::uint16_t{443})
      .put(26, std::uint16_t{50'000})
      .put(28, std::uint16_t{2})
      .put(30, std::uint16_t{6})
      .put(32, std::array<std::uint8_t, 4>{192, 0, 2, 1})
      .put(36, std::array<std::uint8_t, 4>{198, 51, 100, 7});
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(SetStateEvent, IsReadByItsDescription) {
  const auto layout = parseSetStateFormat(kSetStateFormat);
  ASSERT_TRUE(layout);
  EXPECT_EQ(layout->id, 1371U);
  const auto event = decodeSetState(*layout, recordOf4(2, 1).bytes(), kChangedAt);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->source, "inet_sock_set_state");
  EXPECT_EQ(event->local.toString(), "192.0.2.1:443");
  EXPECT_EQ(event->remote.toString(), "198.51.100.7:50000");
  EXPECT_EQ(event->at, kChangedAt);
  EXPECT_EQ(event->kind, HistoryEventKind::opened);
  const SetStatePayload expected{TcpState::synSent, TcpState::established, 1234, std::nullopt};
  EXPECT_EQ(decodeSetStatePayload(event->payload), expected);
}

TEST(SetStateEvent, IsOpenedClosedOrAChangeOfState) {
  const auto layout = parseSetStateFormat(kSetStateFormat);
  EXPECT_EQ(decodeSetState(*layout, recordOf4(1, 4).bytes(), kChangedAt)->kind, HistoryEventKind::stateChanged);
  EXPECT_EQ(decodeSetState(*layout, recordOf4(4, 7).bytes(), kChangedAt)->kind, HistoryEventKind::closed);
  EXPECT_EQ(decodeSetState(*layout, recordOf4(4, 700).bytes(), kChangedAt)->kind, HistoryEventKind::stateChanged);
}

TEST(SetStateEvent, IsOfTcpAlone) {
  const auto layout = parseSetStateFormat(kSetStateFormat);
  EXPECT_FALSE(decodeSetState(*layout, recordOf4(2, 1).put(30, std::uint16_t{132}).bytes(), kChangedAt)) << "SCTP";
  EXPECT_FALSE(decodeSetState(*layout, recordOf4(2, 1).put(28, std::uint16_t{1}).bytes(), kChangedAt)) << "not IP";
}

TEST(SetStateEvent, OfIpv6AndOfAnOlderKernel) {
  const auto layout = parseSetStateFormat(replaced(kSetStateFormat, "__u16 protocol;	offset:30;	size:2",
                                                   "__u8 protocol;	offset:30;	size:1"));
  ASSERT_TRUE(layout);
  const auto event = decodeSetState(*layout,
                                    recordOf4(2, 1)
                                        .put(28, std::uint16_t{10})
                                        .put(31, std::uint8_t{99})
                                        .put(40, std::array<std::uint8_t, 4>{0x20, 1, 0xd, 0xb8})
                                        .put(56, std::array<std::uint8_t, 2>{0xfe, 0x80})
                                        .bytes(),
                                    kChangedAt);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->local.toString(), "[2001:db8::]:443");
  EXPECT_EQ(event->remote.toString(), "[fe80::]:50000");
}

constexpr std::uint64_t kSocket = 0xffff'8881'0000'1000;

/// Numbers of sockets by their addresses.
class NumberedSockets {
public:
  explicit NumberedSockets(const std::string& format = kSetStateFormat) : m_layout(*parseSetStateFormat(format)) {}

  std::optional<std::uint32_t> of(std::uint64_t socket, std::uint32_t oldState, std::uint32_t newState) {
    const auto record = recordOf4(oldState, newState).put(8, socket).bytes();
    auto event = decodeSetState(m_layout, record, kChangedAt);
    m_numbers.number(m_layout, record, *event);
    return decodeSetStatePayload(event->payload)->socket;
  }

private:
  SetStateLayout m_layout;
  SocketNumbers m_numbers;
};

TEST(SocketNumbers, ASocketKeepsItsNumberUntilItIsClosed) {
  NumberedSockets sockets;
  EXPECT_EQ(sockets.of(kSocket, 7, 2), 1U);
  EXPECT_EQ(sockets.of(kSocket + 1, 7, 2), 2U);
  EXPECT_EQ(sockets.of(kSocket, 2, 1), 1U);
  EXPECT_EQ(sockets.of(kSocket, 1, 7), 1U) << "it is closed";
  EXPECT_EQ(sockets.of(kSocket, 3, 1), 3U) << "another one, at the same place in the kernel's memory";
}

TEST(SocketNumbers, ASocketThatBeginsIsAnotherOne) {
  NumberedSockets sockets;
  EXPECT_EQ(sockets.of(kSocket, 7, 2), 1U);
  EXPECT_EQ(sockets.of(kSocket, 7, 2), 2U) << "the event of its end was lost";
}

TEST(SocketNumbers, AddressesMayHaveFourBytes) {
  NumberedSockets sockets(
      replaced(kSetStateFormat, "skaddr;	offset:8;	size:8", "skaddr;	offset:8;	size:4"));
  EXPECT_EQ(sockets.of(0x1000, 7, 2), 1U);
  EXPECT_EQ(sockets.of(0x5'0000'1000, 2, 1), 1U) << "the upper half is another field";
}

TEST(SetStateEvent, APayloadWithoutANumberIsRead) {
  const auto layout = parseSetStateFormat(kSetStateFormat);
  const auto event = decodeSetState(*layout, recordOf4(2, 1).bytes(), kChangedAt);
  EXPECT_FALSE(decodeSetStatePayload(event->payload)->socket);
}

TEST(SetStateEvent, IsAbsentWhereTheDescriptionOrTheRecordIsIncomplete) {
  EXPECT_FALSE(parseSetStateFormat(""));
  EXPECT_FALSE(parseSetStateFormat(replaced(kSetStateFormat, "ID:", "N:")));
  EXPECT_FALSE(parseSetStateFormat(replaced(kSetStateFormat, "newstate", "other")));
  EXPECT_FALSE(parseSetStateFormat(replaced(kSetStateFormat, "offset:56", "offset:99999999")));
  const auto layout = parseSetStateFormat(kSetStateFormat);
  const auto bytes = recordOf4(2, 1).bytes();
  EXPECT_FALSE(decodeSetState(*layout, std::span(bytes).first(layout->length - 1), kChangedAt));
  EXPECT_FALSE(decodeSetStatePayload(std::span(bytes).first(3)));
}

TEST(SetStateSource, ReportsWhyItCannotWork) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tcpscope-set-state-" + std::to_string(getpid()));
  const std::filesystem::path event = folder / "events/sock/inet_sock_set_state";
  std::filesystem::create_directories(event);
  EXPECT_EQ(SetStateSource::open(PlaceId{}, folder).error(), CapabilityReason::notSupported) << "no such event";
  std::ofstream(event / "format") << "name: inet_sock_set_state\nID: 1\nformat:\n";
  EXPECT_EQ(SetStateSource::open(PlaceId{}, folder).error(), CapabilityReason::notSupported) << "no addresses";
  std::filesystem::remove_all(folder);
}

TEST(SetStateSource, IsInTheCatalogue) {
  const auto sources = sourceCatalogue();
  EXPECT_TRUE(std::any_of(sources.begin(), sources.end(), [](const SourceDescriptor& row) {
    return row.name == "inet_sock_set_state" && row.needs == SourceNeeds::tracing;
  }));
}

}  // namespace
}  // namespace tcpscope
