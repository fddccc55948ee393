#include "collectors/sock_diag/focus_sampler.h"

#include <gtest/gtest.h>

#include <map>

#include "collectors/sock_diag/netlink_socket.h"
#include "tests/support/loopback_connection.h"
#include "tests/support/scripted_channel.h"

namespace tcpscope {
namespace {

using test::kernelError;
using test::LoopbackListener;
using test::socketMessage;

/// What came in one or several batches.
struct Received {
  std::vector<SocketObservation> changed;
  std::vector<std::uint64_t> closed;
  std::map<GapKind, std::uint64_t> gaps;

  ObservationSink sink() {
    return [this](ObservationBatch&& batch) {
      EXPECT_EQ(batch.rate, SampleRate::focus);
      changed.insert(changed.end(), batch.changed.begin(), batch.changed.end());
      for (const ClosedSocket& socket : batch.closed) closed.push_back(socket.id.cookie);
      for (const CollectionGap& gap : batch.gaps) gaps[gap.kind] += gap.count;
      return true;
    };
  }
};

/// The address of the client's end of a connection to `listener`.
SocketAddress addressOf(const test::Descriptor& client, const LoopbackListener& listener) {
  sockaddr_in own{};
  socklen_t size = sizeof own;
  EXPECT_EQ(getsockname(client.number(), reinterpret_cast<sockaddr*>(&own), &size), 0);
  const IpAddress loopback = IpAddress::v4({127, 0, 0, 1});
  return {{PlaceId{0}, test::cookieOf(client)}, {loopback, ntohs(own.sin_port)}, {loopback, listener.port()}, 0};
}

TEST(FocusSampler, ReportsASampleAlsoWhenNothingChanged) {
  const LoopbackListener listener;
  const auto [client, server] = listener.connect();
  const SocketAddress address = addressOf(client, listener);
  FocusSampler sampler = std::move(*FocusSampler::open(ownSockDiagAccess(), {}));
  Received received;
  EXPECT_TRUE(sampler.sample(address));
  EXPECT_TRUE(sampler.sample(address));
  sampler.deliver(received.sink());

  ASSERT_EQ(received.changed.size(), 2U);
  EXPECT_EQ(received.changed[1].id, address.id);
  EXPECT_EQ(received.changed[1].info.state(), TcpState::established);
  EXPECT_GT(received.changed[1].takenAt, received.changed[0].takenAt);
}

TEST(FocusSampler, ReportsTheEndOfTheConnection) {
  const LoopbackListener listener;
  auto [client, server] = listener.connect();
  const SocketAddress address = addressOf(client, listener);
  FocusSampler sampler = std::move(*FocusSampler::open(ownSockDiagAccess(), {}));
  test::reset(client);
  Received received;
  EXPECT_FALSE(sampler.sample(address));
  sampler.deliver(received.sink());
  EXPECT_EQ(received.closed, (std::vector<std::uint64_t>{address.id.cookie}));
}

TEST(FocusSampler, DoesNotMistakeANewConnectionOnTheSameAddressesForTheOldOne) {
  const LoopbackListener listener;
  const auto [client, server] = listener.connect();
  SocketAddress address = addressOf(client, listener);
  address.id.cookie += 1'000'000'000;
  FocusSampler sampler = std::move(*FocusSampler::open(ownSockDiagAccess(), {}));
  Received received;
  EXPECT_FALSE(sampler.sample(address));
  sampler.deliver(received.sink());
  EXPECT_TRUE(received.changed.empty());
}

/// A sampler whose kernel follows a script.
class ScriptedFocus : public ::testing::Test {
protected:
  bool sample() {
    const bool isThere = m_sampler.sample(kSocket);
    m_sampler.deliver(m_received.sink());
    return isThere;
  }

  const SocketAddress kSocket{{PlaceId{0}, 1}, {}, {}, 0};

  test::ScriptedPlace m_place;
  FocusSampler m_sampler = std::move(*FocusSampler::open(m_place.access(), {}));
  Received m_received;
};

TEST_F(ScriptedFocus, ALostAnswerIsCountedAndRequestedOnANewChannel) {
  m_place.script->push_back({});
  m_place.script->push_back({socketMessage({.cookie = 1})});
  EXPECT_TRUE(sample());
  EXPECT_EQ(*m_place.opened, 2);
  EXPECT_TRUE(sample());
  EXPECT_EQ(m_received.changed.size(), 1U);
  EXPECT_EQ(m_received.gaps, (std::map<GapKind, std::uint64_t>{{GapKind::requestRefused, 1}}));
}

TEST_F(ScriptedFocus, ARefusalIsNoEndOfTheConnection) {
  m_place.script->push_back({kernelError(EIO)});
  EXPECT_TRUE(sample());
  EXPECT_TRUE(m_received.closed.empty());
}

TEST_F(ScriptedFocus, AMalformedAnswerIsCounted) {
  m_place.script->push_back({{.payload = test::MessageBytes(40)}});
  EXPECT_TRUE(sample());
  EXPECT_TRUE(m_received.changed.empty());
  EXPECT_EQ(m_received.gaps, (std::map<GapKind, std::uint64_t>{{GapKind::malformedMessage, 1}}));
}

TEST_F(ScriptedFocus, GapsOfARefusedBatchComeWithTheNextOne) {
  m_place.script->push_back({socketMessage({.cookie = 1})});
  m_place.script->push_back({socketMessage({.cookie = 1})});
  m_sampler.gaps().add(GapKind::focusSlotMissed, 3);
  m_sampler.sample(kSocket);
  m_sampler.deliver([](ObservationBatch&&) { return false; });
  sample();
  EXPECT_EQ(m_received.gaps,
            (std::map<GapKind, std::uint64_t>{{GapKind::focusSlotMissed, 3}, {GapKind::queueFull, 1}}));
}

}  // namespace
}  // namespace tcpscope
