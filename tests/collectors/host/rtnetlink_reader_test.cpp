// Interfaces and queue disciplines: from messages made here, damaged ones too, and from this machine's kernel.
#include "collectors/host/rtnetlink_reader.h"

#include <gtest/gtest.h>
#include <linux/gen_stats.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include <array>

#include "collectors/host/rtnetlink_decoder.h"
#include "tests/support/netlink_bytes.h"

namespace tcpscope {
namespace {

using test::MessageBytes;
using test::NetlinkBody;

MessageBytes link(int index, const char* name, const char* kind) {
  ifinfomsg head{};
  head.ifi_index = index;
  head.ifi_flags = IFF_UP;
  return NetlinkBody(head)
      .text(IFLA_IFNAME, name)
      .value(IFLA_TXQLEN, std::uint32_t{1000})
      .attribute(IFLA_LINKINFO, NetlinkBody().text(IFLA_INFO_KIND, kind).bytes())
      .bytes();
}

MessageBytes discipline(int index, std::uint32_t handle, std::uint32_t parent, const char* kind, std::uint32_t drops) {
  tcmsg head{};
  head.tcm_ifindex = index;
  head.tcm_handle = handle;
  head.tcm_parent = parent;
  gnet_stats_queue queue{};
  queue.drops = drops;
  queue.backlog = 3028;
  queue.requeues = 2;
  return NetlinkBody(head)
      .text(TCA_KIND, kind)
      .attribute(TCA_STATS2, NetlinkBody().value(TCA_STATS_QUEUE, queue).bytes())
      .bytes();
}

HostAccess kernelWith(const std::vector<MessageBytes>& links, std::vector<test::ScriptedMessage> disciplines) {
  auto script = std::make_shared<test::Script>();
  script->emplace_back();
  for (const MessageBytes& one : links) script->back().push_back({.type = RTM_NEWLINK, .payload = one});
  script->back().push_back(test::endOfDump());
  script->push_back(std::move(disciplines));
  return {test::scriptedNetlink(script), {}};
}

test::ScriptedMessage message(const MessageBytes& bytes) {
  return {.type = RTM_NEWQDISC, .payload = bytes};
}

TEST(RtnetlinkReader, ReadsTheQueueDisciplineOfAnInterface) {
  const auto table =
      readLinkTable(kernelWith({link(1, "lo", ""), link(4, "veth0", "veth")},
                               {message(discipline(4, 0x10000, TC_H_ROOT, "fq_codel", 12)),
                                message(discipline(4, 0xffff0000, TC_H_INGRESS, "ingress", 99)), test::endOfDump()}));
  ASSERT_TRUE(table);
  const LinkFacts& veth = table->links.at(UntrustedText("veth0"));
  EXPECT_TRUE(veth.isUp);
  EXPECT_EQ(veth.kind.rawBytes(), "veth");
  EXPECT_EQ(veth.transmitQueueLength, 1000U);
  ASSERT_TRUE(veth.queueDiscipline);
  EXPECT_EQ(veth.queueDiscipline->kind.rawBytes(), "fq_codel");
  EXPECT_EQ(veth.queueDiscipline->drops, 12U);
  EXPECT_EQ(veth.queueDiscipline->requeues, 2U);
  EXPECT_EQ(veth.queueDiscipline->backlog, Bytes(3028));
  EXPECT_FALSE(table->links.at(UntrustedText("lo")).queueDiscipline) << "not reported";
}

TEST(RtnetlinkReader, NamesTheChildrenOfAMultiqueueRoot) {
  const auto table =
      readLinkTable(kernelWith({link(2, "eth0", "")}, {message(discipline(2, 0, TC_H_ROOT, "mq", 5)),
                                                       message(discipline(2, 0, 1, "fq", 5)), test::endOfDump()}));
  ASSERT_TRUE(table);
  const auto& found = table->links.at(UntrustedText("eth0")).queueDiscipline;
  EXPECT_EQ(found->kind.rawBytes(), "mq: fq");
  EXPECT_EQ(found->drops, 5U);
}

TEST(RtnetlinkReader, GivesTheReasonForAMissingAnswer) {
  const auto table = readLinkTable(kernelWith({link(2, "eth0", "")}, {test::kernelError(EPERM)}));
  ASSERT_TRUE(table);
  EXPECT_EQ(table->links.at(UntrustedText("eth0")).queueDiscipline.error(), UnknownReason::notPermitted);
  const HostAccess closed{[](int) {
                            return Expected<NetlinkChannelPointer, NetlinkError>(
                                Unexpected<NetlinkError>(netlinkError(NetlinkError::Attempt::open, EAFNOSUPPORT)));
                          },
                          {}};
  EXPECT_EQ(readLinkTable(closed).error(), UnknownReason::notSupported);
  EXPECT_EQ(readLinkTable({}).error(), UnknownReason::notReported);
}

TEST(RtnetlinkReader, ReadsNothingBehindTheEndOfAMessage) {
  const MessageBytes whole = link(2, "eth0", "veth");
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const MessageBytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const auto found = decodeLink(cut);
    EXPECT_TRUE(!found || found->name.rawBytes() == "eth0") << size;
  }
  const MessageBytes other = discipline(2, 0, TC_H_ROOT, "fq", 5);
  for (std::size_t size = 0; size < other.size(); ++size) {
    const auto found = decodeQueueDiscipline(std::span(other).first(size));
    EXPECT_TRUE(!found || found->kind.rawBytes() == "fq") << size;
  }
}

MessageBytes route(std::uint8_t type, std::uint8_t prefixBits, const NetlinkBody& metrics) {
  rtmsg head{};
  head.rtm_family = AF_INET;
  head.rtm_type = type;
  head.rtm_dst_len = prefixBits;
  NetlinkBody body(head);
  if (prefixBits > 0) body.value(RTA_DST, std::array<std::uint8_t, 4>{192, 0, 2, 0});
  return body.attribute(RTA_METRICS, metrics.bytes()).bytes();
}

TEST(RtnetlinkReader, ReadsTheMetricsOfRoutes) {
  NetlinkBody metrics;
  metrics.value(RTAX_LOCK, std::uint32_t{1U << RTAX_MTU})
      .value(RTAX_MTU, std::uint32_t{1400})
      .value(RTAX_INITCWND, std::uint32_t{3})
      .value(RTAX_RTO_MIN, std::uint32_t{300})
      .text(RTAX_CC_ALGO, "reno");
  NetlinkBody harmless;
  harmless.value(RTAX_MTU, std::uint32_t{1400}).value(RTAX_HOPLIMIT, std::uint32_t{64});
  const auto script = std::make_shared<test::Script>();
  script->push_back({{.type = RTM_NEWROUTE, .payload = route(RTN_UNICAST, 0, harmless)},
                     {.type = RTM_NEWROUTE, .payload = route(RTN_UNREACHABLE, 0, harmless)},
                     {.type = RTM_NEWROUTE, .payload = route(RTN_UNICAST, 24, metrics)},
                     test::endOfDump()});
  const auto routes = readRoutes({test::scriptedNetlink(script), {}});
  ASSERT_TRUE(routes);
  EXPECT_EQ(routes->routes, 3U);
  EXPECT_EQ(routes->defaults, 1U) << "what is refused leads nowhere";
  ASSERT_EQ(routes->examples.size(), 1U);
  EXPECT_EQ(routes->examples[0].destination, "192.0.2.0/24");
  std::string all;
  for (const UntrustedText& setting : routes->examples[0].settings) all += setting.rawBytes() + ";";
  EXPECT_EQ(all, "initcwnd 3;rto_min 300ms;congctl reno;mtu lock 1400;");
  const MessageBytes whole = route(RTN_UNICAST, 24, metrics);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto found = decodeRoute(std::span(whole).first(size));
    EXPECT_TRUE(!found || found->prefixBits == 24) << size;
  }
}

TEST(RtnetlinkReader, ReadsABoundedNumberOfRoutes) {
  const auto script = std::make_shared<test::Script>();
  script->emplace_back(4, test::ScriptedMessage{.type = RTM_NEWROUTE, .payload = route(RTN_UNICAST, 24, {})});
  const auto routes = readRoutes({test::scriptedNetlink(script), {}}, {.messages = 3});
  ASSERT_TRUE(routes);
  EXPECT_FALSE(routes->isWhole);
  EXPECT_EQ(routes->routes, 3U);
}

TEST(RtnetlinkReader, ReadsThisMachine) {
  const auto table = readLinkTable(ownHostAccess());
  if (!table) GTEST_SKIP() << "no rtnetlink here";
  const LinkFacts& loop = table->links.at(UntrustedText("lo"));
  ASSERT_TRUE(loop.isUp);
  ASSERT_TRUE(loop.queueDiscipline);
  EXPECT_FALSE(loop.queueDiscipline->kind.empty());
}

}  // namespace
}  // namespace tcpscope
