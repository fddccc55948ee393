// One stream over several network namespaces of a host: each value comes back at the place that it is of, and what
// names no place that appeared is damage.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/trace/trace_reader.h"
#include "tests/support/trace_examples.h"

namespace tcpscope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr PlaceId kHost{3};

class NamespaceFrames : public testing::Test {
protected:
  NamespaceFrames() { m_writer.write(test::exampleHello()); }

  void appears(std::uint32_t number, const std::string& name, const std::string& container = {}) {
    ObservationBatch batch;
    batch.turn = PlaceTurn::appeared;
    Place place;
    place.networkNamespace = name;
    place.container = container;
    batch.appeared = std::make_shared<const Place>(place);
    SysctlValues settings;
    settings.set("net.ipv4.tcp_sack", "0");
    batch.settings = std::make_shared<const SysctlValues>(std::move(settings));
    m_writer.write(batch, number);
  }
  void leaves(std::uint32_t number) {
    ObservationBatch batch;
    batch.turn = PlaceTurn::left;
    m_writer.write(batch, number);
  }
  /// Every batch of the stream.
  std::vector<ObservationBatch> read() {
    TraceReader reader(kHost);
    reader.feed(m_bytes);
    reader.end();
    std::vector<ObservationBatch> batches;
    while (auto value = reader.next()) {
      if (auto* batch = std::get_if<ObservationBatch>(&*value)) batches.push_back(std::move(*batch));
    }
    return batches;
  }
  static bool isDamage(const ObservationBatch& batch) {
    return batch.place == kHost && batch.gaps.size() == 1 && batch.gaps[0].kind == GapKind::damagedFrame;
  }

  std::vector<std::byte> m_bytes;
  TraceWriter m_writer{m_bytes};
};

TEST_F(NamespaceFrames, ANamespaceAppearsWithItsNamesAndSettings) {
  appears(7, "web");
  appears(9, "4026532001", "shop-db");
  const auto batches = read();
  ASSERT_EQ(batches.size(), 4U);
  EXPECT_EQ(batches[0].place, placeOfNamespace(kHost, 7));
  EXPECT_EQ(batches[0].turn, PlaceTurn::appeared);
  ASSERT_TRUE(batches[0].appeared);
  EXPECT_EQ(batches[0].appeared->id, batches[0].place);
  EXPECT_EQ(batches[0].appeared->networkNamespace, "web");
  EXPECT_EQ(batches[0].appeared->namespaceLabel(), "web");
  EXPECT_EQ(batches[0].appeared->host, test::exampleHello().place.host) << "of the hello, as boot and kernel";
  EXPECT_EQ(batches[0].appeared->bootId, test::exampleHello().place.bootId);
  EXPECT_FALSE(batches[0].appearedHere) << "only this host can say so";
  EXPECT_EQ(batches[1].place, batches[0].place);
  ASSERT_TRUE(batches[1].settings);
  EXPECT_EQ(batches[1].settings->number("net.ipv4.tcp_sack"), 0U);
  EXPECT_EQ(batches[2].appeared->networkNamespace, "4026532001");
  EXPECT_EQ(batches[2].appeared->namespaceLabel(), "shop-db");
}

TEST_F(NamespaceFrames, EverythingOfASocketIsAtItsPlace) {
  appears(7, "web");
  m_writer.write(test::exampleBatch(3), 7);
  m_writer.write(test::exampleBatch(1));
  std::vector<PlaceId> ofSockets;
  std::vector<PlaceId> ofOwners;
  for (const ObservationBatch& batch : read()) {
    EXPECT_FALSE(isDamage(batch));
    for (const SocketObservation& socket : batch.changed) ofSockets.push_back(socket.id.place);
    for (const OwnerObservation& one : batch.owners) ofOwners.push_back(one.id.place);
    for (const ClosedSocket& one : batch.closed) EXPECT_EQ(one.id.place, batch.place);
    for (const LiveOptionsObservation& one : batch.liveOptions) EXPECT_EQ(one.id.place, batch.place);
    for (const CollectionGap& gap : batch.gaps) EXPECT_EQ(gap.place, batch.place);
  }
  const PlaceId web = placeOfNamespace(kHost, 7);
  EXPECT_THAT(ofSockets, ElementsAre(web, web, web, kHost));
  EXPECT_THAT(ofOwners, ElementsAre(web, web, kHost, kHost));
}

TEST_F(NamespaceFrames, WhatIsOfNoPlaceThatAppearedIsDamage) {
  m_writer.write(test::exampleBatch(1), 7);
  for (const ObservationBatch& batch : read()) EXPECT_TRUE(isDamage(batch));
  appears(7, "web");
  leaves(7);
  leaves(7);
  const auto batches = read();
  ASSERT_GE(batches.size(), 2U);
  EXPECT_TRUE(isDamage(batches.back())) << "it has left already";
  EXPECT_EQ(batches[batches.size() - 2].turn, PlaceTurn::left);
}

TEST_F(NamespaceFrames, MoreNamespacesThanAHostMayHaveAreDamage) {
  appears(kMostNamespaces, "web");
  for (const ObservationBatch& batch : read()) EXPECT_TRUE(isDamage(batch));
}

TEST_F(NamespaceFrames, ANamespaceHasNoMoreSettingsThanThereAre) {
  appears(7, "web");
  const auto settingsOf = [](std::size_t count, std::size_t length) {
    SysctlValues settings;
    for (std::size_t one = 0; one < count; ++one) settings.set(std::to_string(one), std::string(length, '1'));
    ObservationBatch batch;
    batch.settings = std::make_shared<const SysctlValues>(std::move(settings));
    return batch;
  };
  m_writer.write(settingsOf(300, 1), 7);
  m_writer.write(settingsOf(10, 1000), 7);
  const auto batches = read();
  ASSERT_EQ(batches.size(), 4U);
  ASSERT_TRUE(batches[2].settings);
  EXPECT_EQ(batches[2].settings->all().size(), 64U);
  EXPECT_TRUE(isDamage(batches[3]));
}

TEST_F(NamespaceFrames, ANamespaceHasNoHelloOfItsOwn) {
  appears(7, "web");
  const std::size_t before = read().size();
  std::vector<std::byte> payload = {
      std::byte{7}, std::byte{0}, std::byte{0}, std::byte{0}, static_cast<std::byte>(FrameKind::hello), std::byte{0}};
  appendFrame(m_bytes, FrameKind::inNamespace, payload);
  payload[4] = static_cast<std::byte>(FrameKind::inNamespace);
  appendFrame(m_bytes, FrameKind::inNamespace, payload);
  EXPECT_EQ(read().size(), before);
}

TEST_F(NamespaceFrames, TheFocusNamesTheNamespaceOfItsSocket) {
  const SocketObservation socket = test::bareSocket(3);
  const SocketAddress address{socket.id, socket.local, socket.remote, 4};
  m_bytes.clear();
  m_writer.write(FocusRequest{address, 4095});
  m_writer.write(FocusRequest{address, std::nullopt});
  TraceReader reader(PlaceId{0});
  reader.feed(m_bytes);
  const auto further = reader.next();
  const auto own = reader.next();
  ASSERT_TRUE(further && own);
  EXPECT_EQ(std::get<FocusRequest>(*further).networkNamespace, 4095U);
  EXPECT_EQ(std::get<FocusRequest>(*further).socket, address);
  EXPECT_EQ(std::get<FocusRequest>(*own).networkNamespace, std::nullopt);
}

}  // namespace
}  // namespace tcpscope
