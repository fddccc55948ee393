#include "core/session/listener_table.h"

#include <gtest/gtest.h>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using test::ObservationBuilder;

SocketObservation listener(std::uint64_t cookie, std::uint64_t acceptQueue, std::uint64_t backlog) {
  return ObservationBuilder().cookie(cookie).state(TcpState::listen).queues(acceptQueue, backlog).build();
}

std::shared_ptr<const Owner> owner(const char* name) {
  return std::make_shared<const Owner>(Owner{7, UntrustedText(name), std::nullopt, std::nullopt});
}

TEST(ListenerTable, ShowsTheNewestLookAndKeepsTheOwner) {
  ListenerTable table;
  table.take(listener(5, 0, 128));
  table.setOwner({PlaceId{0}, 5}, owner("nginx"));
  table.take(listener(5, 3, 128));
  const std::vector<ListenerRow> rows = table.rows();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].acceptQueue, 3U);
  ASSERT_NE(rows[0].owner, nullptr);
  EXPECT_EQ(rows[0].owner->processName, UntrustedText("nginx"));
}

TEST(ListenerTable, SaysThatAnAcceptQueueOverflowsAndShowsThatListenerFirst) {
  ListenerTable table;
  table.take(listener(1, 0, 128));
  table.take(listener(2, 129, 128));
  const std::vector<ListenerRow> rows = table.rows();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].id.cookie, 2U);
  ASSERT_EQ(rows[0].findings.size(), 1U);
  EXPECT_EQ(rows[0].findings[0].rule, RuleId::acceptQueueOverflow);
  EXPECT_TRUE(rows[1].findings.empty());
}

TEST(ListenerTable, ForgetsAListenerWithItsOwner) {
  ListenerTable table;
  table.take(listener(5, 0, 128));
  table.setOwner({PlaceId{0}, 5}, owner("nginx"));
  EXPECT_TRUE(table.erase({PlaceId{0}, 5}));
  EXPECT_FALSE(table.erase({PlaceId{0}, 5}));
  table.take(listener(5, 0, 128));
  EXPECT_EQ(table.rows()[0].owner, nullptr);
}

TEST(ListenerTable, AnOwnerOfNoListenerIsNotKept) {
  ListenerTable table;
  table.setOwner({PlaceId{0}, 5}, owner("nginx"));
  EXPECT_TRUE(table.rows().empty());
}

}  // namespace
}  // namespace tcpscope
