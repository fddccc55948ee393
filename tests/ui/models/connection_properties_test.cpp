#include "ui/models/connection_properties.h"

#include <gtest/gtest.h>

#include <QStringList>

#include "tests/ui/support/captured_drawing.h"
#include "tests/ui/support/detail_drawing.h"

namespace tcpscope {
namespace {

using std::chrono::milliseconds;
using test::ObservationBuilder;

class ConnectionProperties : public testing::Test {
protected:
  void poll(const ObservationBuilder& last) { poll(last.build()); }
  void poll(const SocketObservation& last) {
    m_snapshot = test::snapshotWithDetail({ObservationBuilder().at(milliseconds(0)).build(), last});
  }
  /// Value of the property with this name; "(absent)" where there is none.
  [[nodiscard]] QString value(const QString& name) const {
    for (const PropertySection& section : connectionProperties(test::detailOf(m_snapshot), *m_snapshot)) {
      for (const ConnectionProperty& property : section.properties) {
        if (property.name == name) return property.value;
      }
    }
    return QStringLiteral("(absent)");
  }
  /// All sentences on what is missing, one a line.
  [[nodiscard]] QString missing() const {
    QStringList lines;
    for (const QString& line : missingThings(test::detailOf(m_snapshot))) lines << line;
    return lines.join(u'\n');
  }

  std::shared_ptr<const SessionSnapshot> m_snapshot;
};

TEST_F(ConnectionProperties, ShowsNegotiatedOptionsAndDirection) {
  poll(ObservationBuilder().at(milliseconds(1000)).acked(5'000'000).chronographs(milliseconds(1000)));
  EXPECT_EQ(value("Local"), "192.0.2.1:50000");
  EXPECT_EQ(value("Remote"), "198.51.100.2:443");
  EXPECT_EQ(value("Selective acknowledgments"), "yes");
  EXPECT_EQ(value("Peer window scale"), "7 (windows up to 8.00 MiB)");
  EXPECT_EQ(value("Direction"), "the local end sends");
  EXPECT_EQ(value("Algorithm"), "cubic");
}

TEST_F(ConnectionProperties, ShowsThatNoDataMovedInsteadOfGuessingASender) {
  poll(ObservationBuilder().at(milliseconds(1000)));
  EXPECT_EQ(value("Direction"), "no data transferred yet");
}

TEST_F(ConnectionProperties, AnUnknownOwnerIsNotEmpty) {
  poll(ObservationBuilder().at(milliseconds(1000)));
  EXPECT_EQ(value("Process"), "unknown");
  EXPECT_EQ(value("PID"), "(absent)");
  EXPECT_TRUE(missing().contains("owner")) << missing().toStdString();
}

TEST_F(ConnectionProperties, ReportsOptionsThatWereNotNegotiatedWithTheirCost) {
  poll(ObservationBuilder().at(milliseconds(1000)).options(0));
  EXPECT_EQ(value("Window scaling"), "no");
  EXPECT_EQ(value("Peer window scale"), "(absent)");
  EXPECT_TRUE(missing().contains("64 KiB")) << missing().toStdString();
  EXPECT_TRUE(missing().contains("SACK was not negotiated")) << missing().toStdString();
  EXPECT_TRUE(missing().contains("Timestamps were not negotiated")) << missing().toStdString();
}

TEST_F(ConnectionProperties, ReportsWhatAnOldKernelLacks) {
  poll(ObservationBuilder().at(milliseconds(1000)).reportedBytes(104));
  EXPECT_TRUE(missing().contains("Linux 5.4")) << missing().toStdString();
  EXPECT_TRUE(missing().contains("Linux 4.10")) << missing().toStdString();
  EXPECT_EQ(value("Peer's receive window (rwnd)"), "not reported");
}

TEST_F(ConnectionProperties, ShowsWhetherSmallWritesMayWait) {
  poll(ObservationBuilder().at(milliseconds(100)));
  EXPECT_EQ(value("TCP_NODELAY"), "unknown");
  poll(ObservationBuilder().at(milliseconds(100)).nagle(true, false));
  EXPECT_TRUE(value("TCP_NODELAY").startsWith("set")) << value("TCP_NODELAY").toStdString();
}

TEST_F(ConnectionProperties, ShowsTheTimeoutThatTheProgramSet) {
  SocketObservation socket = ObservationBuilder().at(milliseconds(100)).build();
  const auto shownFor = [&](std::optional<Milliseconds> timeout) {
    socket.userTimeout = timeout;
    poll(socket);
    return value("TCP_USER_TIMEOUT");
  };
  EXPECT_EQ(shownFor(std::nullopt), "unknown");
  EXPECT_EQ(shownFor(Milliseconds(0)), "not set");
  EXPECT_EQ(shownFor(Milliseconds(20'000)), "20.0 s");
}

TEST_F(ConnectionProperties, DistinguishesFixedFromAutotunedBuffers) {
  poll(ObservationBuilder()
           .at(milliseconds(1000))
           .sendMemory(1000, 87'040)
           .receiveMemory(0, 131'072)
           .locks(true, false));
  EXPECT_TRUE(value("Send buffer").contains("SO_SNDBUF")) << value("Send buffer").toStdString();
  EXPECT_TRUE(value("Receive buffer").contains("autotuned")) << value("Receive buffer").toStdString();
}

TEST(PropertiesOfACapture, ShowTheWireAndNothingThatOnlyAKernelKnows) {
  const auto snapshot = test::snapshotOfCapture(test::capturedPackets(test::drawnTransfer(20, 0)));
  const ConnectionDetail& detail = *snapshot->details.begin()->second;
  QStringList shown;
  for (const PropertySection& section : connectionProperties(detail, *snapshot)) {
    for (const ConnectionProperty& property : section.properties) shown << property.name + u'=' + property.value;
  }
  const QString all = shown.join(u'\n');
  EXPECT_TRUE(all.contains(QLatin1String("TCP options=MSS 1460 and 1460 bytes, window scale 7 and 7, SACK")))
      << all.toStdString();
  for (const char* const unknown : {"User=", "Send queue=", "Receive queue=", "Send buffer=", "not reported"}) {
    EXPECT_FALSE(all.contains(QLatin1String(unknown))) << unknown;
  }
  ASSERT_EQ(missingThings(detail).size(), 1U);
  EXPECT_TRUE(missingThings(detail).front().startsWith(QLatin1String("A capture holds what was on the wire")));
}

TEST(PropertiesOfACapture, ShowWhoIsSlow) {
  const test::DrawnExchange exchange(R"(
    0.000 > S 0:0 mss 1460
    0.010 < SA 0:0 ack 1
    0.011 > A 1:101 ack 1
    0.121 < A 1:101 ack 101
  )");
  const auto snapshot = test::snapshotOfCapture(test::capturedPackets(exchange.samples()));
  const auto sections = connectionProperties(*snapshot->details.begin()->second, *snapshot);
  const PropertySection& last = sections.back();
  EXPECT_EQ(last.title, "Requests and responses");
  EXPECT_TRUE(last.properties.front().value.startsWith("1: server 90.")) << last.properties.front().value.toStdString();
}

}  // namespace
}  // namespace tcpscope
