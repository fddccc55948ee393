// What a poller makes of damaged, lost, repeated and foreign messages: it goes on, and it counts.

#include <gtest/gtest.h>

#include <map>

#include "collectors/sock_diag/sock_diag_poller.h"
#include "tests/support/scripted_channel.h"

namespace tcpscope {
namespace {

using test::DiagPayload;
using test::endOfDump;
using test::failedReceive;
using test::kernelError;
using test::ScriptedMessage;
using test::socketMessage;

class HostileKernel : public ::testing::Test {
protected:
  HostileKernel() : m_poller(std::move(*SockDiagPoller::open(m_place.access(), {}))) {}

  /// One dump: the kernel's answers to it; `after` is what exact requests are answered with.
  void dump(std::vector<ScriptedMessage> answers, std::vector<std::vector<ScriptedMessage>> after = {}) {
    m_changed.clear();
    m_closed.clear();
    m_gaps.clear();
    m_unchanged = 0;
    m_place.script->clear();
    m_place.script->push_back(std::move(answers));
    for (std::vector<ScriptedMessage>& answer : after) m_place.script->push_back(std::move(answer));
    m_poller->pollOnce([this](ObservationBatch&& batch) {
      for (const SocketObservation& socket : batch.changed) m_changed.push_back(socket.id.cookie);
      for (const ClosedSocket& socket : batch.closed) m_closed.push_back(socket.id.cookie);
      for (const CollectionGap& gap : batch.gaps) m_gaps[gap.kind] += gap.count;
      m_unchanged += batch.unchanged;
      return true;
    });
  }

  using Cookies = std::vector<std::uint64_t>;
  using Gaps = std::map<GapKind, std::uint64_t>;

  test::ScriptedPlace m_place;
  std::unique_ptr<SockDiagPoller> m_poller;
  Cookies m_changed;
  Cookies m_closed;
  Gaps m_gaps;
  std::uint64_t m_unchanged = 0;
};

TEST_F(HostileKernel, AnOrderlyDumpLeavesNoGap) {
  dump({socketMessage({.cookie = 1}), socketMessage({.cookie = 2}), endOfDump()});
  EXPECT_EQ(m_changed, (Cookies{1, 2}));
  EXPECT_EQ(m_gaps, Gaps{});
}

TEST_F(HostileKernel, AnOverflowIsCountedAndTheRestIsTaken) {
  dump({socketMessage({.cookie = 1}), failedReceive(ENOBUFS), socketMessage({.cookie = 2}), endOfDump()});
  EXPECT_EQ(m_changed, (Cookies{1, 2}));
  EXPECT_EQ(m_gaps, (Gaps{{GapKind::receiveBufferOverflow, 1}}));
}

TEST_F(HostileKernel, ARepeatedSocketIsTakenOnce) {
  dump({socketMessage({.cookie = 1}), socketMessage({.cookie = 1, .receiveQueue = 9}), endOfDump()});
  EXPECT_EQ(m_changed, (Cookies{1}));
  EXPECT_EQ(m_gaps, (Gaps{{GapKind::repeatedSocket, 1}}));
}

TEST_F(HostileKernel, MessagesOfOtherConversationsAreLeftAside) {
  ScriptedMessage earlier = socketMessage({.cookie = 5});
  earlier.sequenceOffset = 7;
  ScriptedMessage foreign = socketMessage({.cookie = 6});
  foreign.portOffset = 1;
  ScriptedMessage foreignEnd = endOfDump();
  foreignEnd.sequenceOffset = 7;
  dump({earlier, foreign, foreignEnd, socketMessage({.cookie = 1}), endOfDump()});
  EXPECT_EQ(m_changed, (Cookies{1}));
  EXPECT_EQ(m_gaps, (Gaps{{GapKind::foreignMessage, 3}}));
}

TEST_F(HostileKernel, UnknownMessageTypesAreLeftAside) {
  ScriptedMessage unknown = socketMessage({.cookie = 5});
  unknown.type = 999;
  dump({unknown, socketMessage({.cookie = 1}), endOfDump()});
  EXPECT_EQ(m_changed, (Cookies{1}));
  EXPECT_EQ(m_gaps, (Gaps{{GapKind::foreignMessage, 1}}));
}

TEST_F(HostileKernel, ACutMessageIsCountedAndTheRestIsTaken) {
  ScriptedMessage cut = socketMessage({.cookie = 5});
  cut.cut = 20;
  dump({cut, socketMessage({.cookie = 1}), endOfDump()});
  EXPECT_EQ(m_changed, (Cookies{1}));
  EXPECT_EQ(m_gaps, (Gaps{{GapKind::malformedMessage, 1}}));
}

TEST_F(HostileKernel, AMessageShorterThanItsFixedPartIsMalformed) {
  dump({{.payload = test::MessageBytes(40)}, socketMessage({.cookie = 1}), endOfDump()});
  EXPECT_EQ(m_changed, (Cookies{1}));
  EXPECT_EQ(m_gaps, (Gaps{{GapKind::malformedMessage, 1}}));
}

TEST_F(HostileKernel, ASocketWithoutACookieIsMalformed) {
  dump({socketMessage({.cookie = 0}), endOfDump()});
  EXPECT_EQ(m_gaps, (Gaps{{GapKind::malformedMessage, 1}}));
}

TEST_F(HostileKernel, AnAttributeBeyondTheEndIsCountedAtEachDump) {
  DiagPayload payload;
  payload.attribute(INET_DIAG_INFO, test::MessageBytes(100));
  payload.attributes[0] = std::byte{0xff};
  payload.attributes[1] = std::byte{0xff};
  for (int round = 0; round < 2; ++round) {
    dump({socketMessage(payload), endOfDump()});
    EXPECT_EQ(m_changed, Cookies{});
    EXPECT_EQ(m_gaps, (Gaps{{GapKind::malformedMessage, 1}}));
  }
}

TEST_F(HostileKernel, ARefusedDumpIsCountedAndTheNextOneWorks) {
  dump({kernelError(EINVAL)});
  EXPECT_EQ(m_gaps, (Gaps{{GapKind::requestRefused, 1}}));
  dump({socketMessage({.cookie = 1}), endOfDump()});
  EXPECT_EQ(m_changed, (Cookies{1}));
}

TEST_F(HostileKernel, AnEndlessDumpIsAbandonedForANewChannel) {
  const int before = *m_place.opened;
  dump({socketMessage({.cookie = 1})});
  EXPECT_EQ(m_gaps.count(GapKind::requestRefused), 0U) << "the batch of a given-up dump comes with the next one";
  EXPECT_EQ(*m_place.opened, before + 1);
  dump({socketMessage({.cookie = 1}), endOfDump()});
  EXPECT_EQ(m_gaps, (Gaps{{GapKind::requestRefused, 1}}));
}

TEST_F(HostileKernel, ADeadChannelIsOpenedAgain) {
  const int before = *m_place.opened;
  dump({failedReceive(EIO)});
  EXPECT_EQ(*m_place.opened, before + 1);
  EXPECT_FALSE(m_poller->isBroken());
}

TEST_F(HostileKernel, AnInterruptedDumpIsCounted) {
  ScriptedMessage marked = socketMessage({.cookie = 1});
  marked.flags |= NLM_F_DUMP_INTR;
  dump({marked, endOfDump()});
  EXPECT_TRUE(m_poller->wasInterrupted());
  EXPECT_EQ(m_gaps, (Gaps{{GapKind::dumpInterrupted, 1}}));
}

TEST_F(HostileKernel, ASocketMissingFromADumpIsClosedOnlyWhenTheKernelSaysSo) {
  dump({socketMessage({.cookie = 1}), socketMessage({.cookie = 2}), socketMessage({.cookie = 3}), endOfDump()});
  dump({endOfDump()}, {{socketMessage({.cookie = 1})}, {kernelError(ENOENT)}, {kernelError(EIO)}});
  EXPECT_EQ(m_closed, (Cookies{2}));
  EXPECT_EQ(m_unchanged, 1U);
  EXPECT_EQ(m_gaps, (Gaps{{GapKind::requestRefused, 1}})) << "of the third nothing is known: it is kept";
  EXPECT_TRUE(m_poller->table().contains(3));
}

TEST_F(HostileKernel, ASocketAnsweredForTwiceIsThere) {
  dump({socketMessage({.cookie = 1}), socketMessage({.cookie = 2}), endOfDump()});
  dump({endOfDump()}, {{socketMessage({.cookie = 1}), kernelError(ENOENT)}, {socketMessage({.cookie = 2})}});
  EXPECT_EQ(m_closed, Cookies{});
  EXPECT_EQ(m_unchanged, 2U);
}

TEST_F(HostileKernel, AnswersToOtherQuestionsLeaveItUnknown) {
  dump({socketMessage({.cookie = 1}), socketMessage({.cookie = 2}), endOfDump()});
  ScriptedMessage beyond = kernelError(ENOENT);
  beyond.sequenceOffset = 9;
  dump({endOfDump()}, {{beyond}, {kernelError(ENOENT)}});
  EXPECT_EQ(m_closed, (Cookies{2}));
  EXPECT_EQ(m_gaps, (Gaps{{GapKind::foreignMessage, 1}, {GapKind::requestRefused, 1}}));
  EXPECT_TRUE(m_poller->table().contains(1));
}

TEST_F(HostileKernel, AgesAndTimersAreNoChange) {
  test::MessageBytes young(280);
  test::MessageBytes old(280);
  for (std::size_t at = 44; at < 60; ++at) old[at] = std::byte{0x55};
  DiagPayload first{.cookie = 1, .expires = 100};
  DiagPayload second{.cookie = 1, .expires = 60};
  first.attribute(INET_DIAG_INFO, young);
  second.attribute(INET_DIAG_INFO, old);
  dump({socketMessage(first), endOfDump()});
  dump({socketMessage(second), endOfDump()});
  EXPECT_EQ(m_changed, Cookies{});
  EXPECT_EQ(m_unchanged, 1U);
}

TEST_F(HostileKernel, EveryOtherByteIsAChange) {
  test::MessageBytes info(280);
  DiagPayload payload{.cookie = 1};
  payload.attribute(INET_DIAG_SHUTDOWN, test::MessageBytes(1)).attribute(INET_DIAG_INFO, info);
  const test::MessageBytes original = payload.bytes();
  constexpr std::size_t kInfo = sizeof(inet_diag_msg) + 8 + 4;
  for (std::size_t at = 0; at < original.size(); ++at) {
    const bool isTimer = (at >= 2 && at < 4) || (at >= 52 && at < 56);
    const bool isCookie = at >= 44 && at < 52;
    const bool isAge = at >= kInfo + 44 && at < kInfo + 60;
    const bool isStructure = at == 0 || (at >= sizeof(inet_diag_msg) && at < kInfo);
    if (isTimer || isCookie || isAge || isStructure) continue;
    dump({{.payload = original}, endOfDump()});
    ScriptedMessage altered{.payload = original};
    altered.payload[at] ^= std::byte{1};
    dump({altered, endOfDump()});
    EXPECT_EQ(m_changed, (Cookies{1})) << "byte " << at;
  }
}

}  // namespace
}  // namespace tcpscope
