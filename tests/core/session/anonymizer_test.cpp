#include "core/session/anonymizer.h"

#include <gtest/gtest.h>

#include <set>

#include "core/host/sysctl_values.h"
#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

Endpoint hidden(Anonymizer& anonymizer, const std::string& address) {
  Endpoint end{IpAddress::parse(address).value(), 443};
  anonymizer.hide(end);
  return end;
}

TEST(Anonymizer, GivesTheSameAddressTheSamePlaceholder) {
  Anonymizer anonymizer;
  EXPECT_EQ(hidden(anonymizer, "10.1.2.3").toString(), "192.0.2.1:443");
  EXPECT_EQ(hidden(anonymizer, "2a00:1450::5").toString(), "[2001:db8::2]:443");
  EXPECT_EQ(hidden(anonymizer, "::ffff:10.1.2.3").toString(), hidden(anonymizer, "::ffff:10.1.2.3").toString());
  EXPECT_EQ(hidden(anonymizer, "::ffff:10.1.2.3").address.unmapped(), hidden(anonymizer, "10.1.2.3").address);
  for (const std::string same : {"127.0.0.1", "::1", "0.0.0.0", "::"}) {
    EXPECT_EQ(hidden(anonymizer, same).address, IpAddress::parse(same));
  }
}

TEST(Anonymizer, GivesDifferentAddressesDifferentPlaceholders) {
  constexpr std::uint32_t kAddresses = 200'000;
  Anonymizer anonymizer;
  std::set<IpAddress> placeholders;
  for (std::uint32_t number = 0; number < kAddresses; ++number) {
    const auto octet = [number](unsigned shift) { return static_cast<std::uint8_t>(number >> shift & 0xffU); };
    Endpoint end{IpAddress::v4({10, octet(16), octet(8), octet(0)}), 1};
    anonymizer.hide(end);
    placeholders.insert(end.address);
  }
  EXPECT_EQ(placeholders.size(), kAddresses);
}

TEST(Numbering, ForgetsWhatIsTooMuchAndGivesNoNumberTwice) {
  Numbering<std::size_t> numbers;
  for (std::size_t thing = 0; thing < numbers.kMostRemembered; ++thing) ASSERT_EQ(numbers(thing), thing);
  EXPECT_EQ(numbers(3), numbers.kMostRemembered) << "everything was forgotten";
  EXPECT_EQ(numbers(4), numbers.kMostRemembered + 1);
  EXPECT_EQ(numbers(3), numbers.kMostRemembered);
}

TEST(Anonymizer, GivesTheSameUserTheSameNumber) {
  Anonymizer anonymizer;
  std::vector<std::uint32_t> hidden;
  for (const std::uint32_t user : {0U, 70'000U, 501U, 70'000U}) {
    SocketObservation socket = test::ObservationBuilder().build();
    socket.userId = user;
    anonymizer.hide(socket);
    hidden.push_back(socket.userId);
  }
  EXPECT_EQ(hidden, (std::vector<std::uint32_t>{0, 1000, 1001, 1000}));
}

TEST(Anonymizer, KeepsOfAKernelReleaseWhatDecidesHowTcpInfoIsRead) {
  const std::pair<const char*, const char*> cases[] = {
      {"6.1.0-28-amd64", "6.1"}, {"6.18.4-customer1", "6.18"}, {"customer-6.1", ""}, {"6.", ""}, {"", ""}};
  for (const auto& [release, kept] : cases) {
    Place place;
    place.kernel = UntrustedText(release);
    Anonymizer().hide(place);
    EXPECT_EQ(place.kernel, UntrustedText(kept)) << release;
  }
}

TEST(Anonymizer, HidesWhatABatchSaysOfHostsProgramsAndUsers) {
  const Endpoint local{IpAddress::parse("10.1.2.3").value(), 443};
  const Endpoint remote{IpAddress::parse("2a00:1450::5").value(), 50'000};
  ObservationBatch batch;
  SocketObservation socket = test::ObservationBuilder().build();
  socket.local = local;
  socket.remote = remote;
  socket.userId = 118'532;
  batch.changed = {socket};
  batch.closed = {{socket.id, socket.takenAt, socket}};
  batch.owners = {{socket.id, {42, UntrustedText("payroll"), UntrustedText("jdoe"), UntrustedText("payroll.service")}}};
  batch.retransmissions = {{local, remote, socket.takenAt}};
  batch.events = {{"set_state", local, remote, socket.takenAt, HistoryEventKind::opened, 1, {}}};
  batch.changeMarks = {{socket.takenAt, std::nullopt, UntrustedText("link.customer-net.mtu"), {}, {}}};
  SysctlValues settings;
  settings.set("link.customer-net.mtu", "1500");
  batch.settings = std::make_shared<const SysctlValues>(settings);
  Place place;
  place.host = UntrustedText("db1.customer.example");
  batch.appeared = std::make_shared<const Place>(place);

  Anonymizer().hide(batch);
  const SocketObservation& shown = batch.changed[0];
  EXPECT_EQ(shown.local.toString(), "192.0.2.1:443");
  EXPECT_EQ(shown.remote.toString(), "[2001:db8::2]:50000");
  EXPECT_EQ(shown.userId, 1000U);
  EXPECT_EQ(batch.closed[0].last->local, shown.local);
  EXPECT_EQ(batch.closed[0].last->remote, shown.remote);
  EXPECT_EQ(batch.owners[0].owner,
            (Owner{42, UntrustedText("program-1"), UntrustedText("user-1"), UntrustedText("unit-1")}));
  EXPECT_EQ(batch.retransmissions[0].local, shown.local);
  EXPECT_EQ(batch.retransmissions[0].remote, shown.remote);
  EXPECT_EQ(batch.events[0].local, shown.local);
  EXPECT_EQ(batch.events[0].remote, shown.remote);
  EXPECT_EQ(batch.changeMarks[0].key, UntrustedText("link.interface-1.mtu"));
  EXPECT_EQ(batch.settings->text("link.interface-1.mtu"), "1500");
  EXPECT_FALSE(batch.settings->text("link.customer-net.mtu"));
  EXPECT_EQ(batch.appeared->host, UntrustedText("host-1"));
}

TEST(Anonymizer, LeavesTheFiguresOfASocketAlone) {
  const SocketObservation socket = test::ObservationBuilder().acked(123'456).queues(17, 4711).build();
  SocketObservation shown = socket;
  Anonymizer().hide(shown);
  EXPECT_EQ(shown.id, socket.id);
  EXPECT_EQ(shown.local.port, socket.local.port);
  EXPECT_EQ(shown.info.bytesAcked(), socket.info.bytesAcked());
  EXPECT_EQ(shown.sendQueue, socket.sendQueue);
}

}  // namespace
}  // namespace tcpscope
