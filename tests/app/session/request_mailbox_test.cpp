#include "app/session/request_mailbox.h"

#include <gtest/gtest.h>
#include <poll.h>

namespace tcpscope {
namespace {

bool isReadable(int descriptor) {
  pollfd waiting{descriptor, POLLIN, 0};
  return poll(&waiting, 1, 0) == 1;
}

CollectorRequest every(Milliseconds interval) {
  CollectorRequest request;
  request.listInterval = interval;
  return request;
}

std::unique_ptr<RequestMailbox> openMailbox(const CollectorRequest& first) {
  auto mailbox = RequestMailbox::open(first);
  return mailbox ? std::move(*mailbox) : nullptr;
}

TEST(RequestMailbox, StartsWithTheFirstRequestAndNothingWaiting) {
  const auto mailbox = openMailbox(every(Milliseconds(300)));
  ASSERT_NE(mailbox, nullptr);
  EXPECT_FALSE(isReadable(mailbox->wakeDescriptor()));
  EXPECT_EQ(mailbox->take(), every(Milliseconds(300)));
}

TEST(RequestMailbox, ANewerRequestReplacesAnOlderOneThatStillWaits) {
  const auto mailbox = openMailbox(every(Milliseconds(300)));
  ASSERT_NE(mailbox, nullptr);
  mailbox->post(every(Milliseconds(200)));
  mailbox->post(every(Milliseconds(100)));
  EXPECT_TRUE(isReadable(mailbox->wakeDescriptor()));
  EXPECT_EQ(mailbox->take(), every(Milliseconds(100)));
  EXPECT_FALSE(isReadable(mailbox->wakeDescriptor()));
}

TEST(RequestMailbox, AWakeForAStopLeavesTheRequestAsItIs) {
  const auto mailbox = openMailbox(every(Milliseconds(300)));
  ASSERT_NE(mailbox, nullptr);
  mailbox->wake();
  EXPECT_TRUE(isReadable(mailbox->wakeDescriptor()));
  EXPECT_EQ(mailbox->take(), every(Milliseconds(300)));
}

}  // namespace
}  // namespace tcpscope
