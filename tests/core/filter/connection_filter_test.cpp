#include "core/filter/filter_evaluator.h"

#include <gtest/gtest.h>

#include "tests/support/observation_builder.h"

namespace tcpscope {
namespace {

using test::ObservationBuilder;

/// A connection to match against: an upload of postgres from 10.1.2.3:5432 to 198.51.100.7:443 over 80 ms.
class FilterTest : public testing::Test {
protected:
  FilterTest() {
    m_owner.pid = 4711;
    m_owner.processName = UntrustedText("postgres");
    m_owner.userName = UntrustedText("www-data");
    m_owner.unitOrContainer = UntrustedText("postgresql.service");
    m_interval.sendGoodput = BitsPerSecond(20e6);
    m_interval.receiveGoodput = BitsPerSecond(1e3);
    using std::chrono::milliseconds;
    m_builder.local("10.1.2.3", 5432).remote("198.51.100.7", 443).rtt(milliseconds(80), milliseconds(20));
    m_builder.congestionWindow(100).peerWindow(65'536);
    m_socket = m_builder.build();
    m_socket.userId = 1000;
  }

  bool matches(std::string_view text) {
    const auto filter = ConnectionFilter::parse(text);
    EXPECT_TRUE(filter) << text << ": " << (filter ? "" : sentence(filter.error(), text));
    return filter && filter->matches({m_socket, &m_owner, &m_interval, Limit::receiver});
  }

  void expectMatching(std::initializer_list<const char*> filters) {
    for (const char* text : filters) EXPECT_TRUE(matches(text)) << text;
  }
  void expectNotMatching(std::initializer_list<const char*> filters) {
    for (const char* text : filters) EXPECT_FALSE(matches(text)) << text;
  }

  ObservationBuilder m_builder;
  SocketObservation m_socket;
  Owner m_owner;
  IntervalMetrics m_interval;
};

TEST_F(FilterTest, NothingMatchesEverything) {
  expectMatching({"", "  ", "\t\n"});
  EXPECT_EQ(ConnectionFilter::parse(" ")->root(), nullptr);
}

TEST_F(FilterTest, StatesAndTheirSets) {
  expectMatching({"state established", "state ESTAB", "state connected", "state synchronized", "state all", "state big",
                  "exclude listen", "excl time-wait", "state = established", "state != TIME_WAIT"});
  expectNotMatching({"state listen", "state bucket", "state syn-sent", "exclude established", "exclude connected",
                     "state != established", "not state established"});
}

TEST_F(FilterTest, StatesInARowAddUpAsInSs) {
  expectMatching({"state time-wait state established", "state connected exclude syn-recv",
                  "exclude listen exclude closed dport = :443"});
  expectNotMatching({"state connected exclude established", "state time-wait state listen"});
}

TEST_F(FilterTest, Ports) {
  expectMatching({"dport = :443", "dport=:443", "dport == 443", "dport eq https", "dport :https", "dport 443",
                  "sport > :1024", "sport gt 1024", "sport >= 5432", "sport geq :5432", "sport ge postgresql",
                  "sport < 5433", "sport lt :5433", "sport <= 5432", "sport leq 5432", "sport le 5432", "dport != :80",
                  "dport ne 80", "dport neq :http"});
  expectNotMatching({"sport = :443", "dport != :443", "dport > 443", "dport lt 443", "sport 22"});
}

TEST_F(FilterTest, HostsAndNetworks) {
  expectMatching({"dst 198.51.100.7", "dst 198.51.100.7:443", "dst = 198.51.100.7:https", "src 10/8", "src 10.1/16",
                  "src 10.1.2.3/32", "src 10.1.2.3:*", "dst *:443", "dst :443", "dst *", "dst != 198.51.100.8",
                  "src ne 11/8", "dst 198.51.100.0/24:443", "dst 0/0", "dst 198.51.96.1/20"});
  expectNotMatching({"dst 198.51.100.8", "dst 198.51.100.7:80", "src 11/8", "dst *:80", "dst != 198.51.100.7",
                     "dst != *:443", "dst ::/0", "dst [::1]"});
}

TEST_F(FilterTest, HostsOfVersion6) {
  m_socket.local = {IpAddress::parse("2001:db8::1").value(), 22};
  m_socket.remote = {IpAddress::parse("::ffff:192.0.2.9").value(), 50'000};
  expectMatching({"src [2001:db8::1]", "src [2001:db8::1]:22", "src 2001:db8::1", "src [2001:db8::]/32",
                  "src [2001:db8::]/32:ssh", "src 2001:db8::/32", "src ::/0"});
  expectNotMatching({"src [2001:db8::1]:23", "src [2001:db9::]/32", "src 10/8"});
  expectMatching({"dst 192.0.2.9", "dst 192.0.2/24", "dst [::ffff:192.0.2.9]", "dst [::ffff:192.0.2.0]/120"});
  expectNotMatching({"dst [::ffff:192.0.3.0]/120"});
}

TEST_F(FilterTest, AndBindsStrongerThanOr) {
  expectMatching({"dport 443 or dport 80 and sport 1", "dport 80 and sport 1 or dport 443",
                  "dport 80 || dport = :443 && sport 5432", "dport 80 | dport 443 & sport 5432"});
  expectNotMatching({"(dport 443 or dport 80) and sport 1", "dport 80 and (sport 1 or dport 443)"});
}

TEST_F(FilterTest, ConditionsSideBySideMeanBoth) {
  expectMatching(
      {"dport 443 sport 5432", "state established dport 443 (sport 5432 or sport 1)", "dport 443 not sport 1"});
  expectNotMatching({"dport 443 sport 1"});
}

TEST_F(FilterTest, NotBindsToTheNextConditionAlone) {
  expectMatching({"not dport 80", "! dport 80", "!dport 80 dport 443", "not (dport 443 and sport 1)",
                  "not not dport 443", "!!dport 443", "not dport 80 and dport 443"});
  expectNotMatching({"not dport 443", "not dport 443 or dport 80", "!(dport 443 or sport 1)"});
}

TEST_F(FilterTest, MetricsWithTheirUnits) {
  expectMatching({"rtt > 50ms",
                  "rtt_us > 50ms",
                  "rtt = 80000",
                  "rtt = 80000us",
                  "rtt = 0.08s",
                  "rtt < 1min",
                  "snd_cwnd > 99",
                  "snd_cwnd_segments = 100",
                  "cwnd >= 0.1k",
                  "snd_wnd = 64KiB",
                  "snd_wnd_bytes < 1MiB",
                  "snd_wnd > 65kB",
                  "send_goodput = 20Mbit",
                  "send_goodput_bps > 19.9Mbit/s",
                  "send_rate < 1Gbps",
                  "max_pacing_rate = unlimited",
                  "max_pacing_rate > 100Gbit",
                  "rtt_inflation = 300%",
                  "rtt_inflation_ratio > 2.5",
                  "rtt gt 50ms",
                  "RTT > 1s or rtt != 1ms"});
  expectNotMatching({"rtt > 80ms", "rtt < 80ms", "snd_wnd > 64KiB", "send_goodput > 20Mbit", "rtt_inflation < 100%"});
}

TEST_F(FilterTest, RateIsTheLargerOfBothDirections) {
  expectMatching({"rate > 10Mbit", "rate >= 20M", "rate = 20Mbit", "rate < 21Mbit", "rate <= 20Mbit", "rate != 1kbit"});
  expectNotMatching({"rate > 20Mbit", "rate < 20Mbit", "rate != 20Mbit", "rate = 1kbit", "rate < 2kbit"});
  m_interval.sendGoodput.reset();
  expectMatching({"rate = 1kbit", "rate < 2kbit"});
  m_interval.receiveGoodput.reset();
  expectNotMatching({"rate > 0", "rate < 1Gbit", "rate = 0", "rate != 0", "rate >= 0", "rate <= 1"});
}

TEST_F(FilterTest, FlagsAndNamedStates) {
  m_builder.applicationLimited(true).caState(CaState::recovery);
  m_socket.info = m_builder.build().info;
  expectMatching({"app_limited", "delivery_rate_app_limited and dport 443", "app_limited = true", "ca_state = recovery",
                  "ca_state != open", "app_limited != no"});
  expectNotMatching({"not app_limited", "app_limited = false", "ca_state = loss"});
}

TEST_F(FilterTest, LimitsAndTexts) {
  expectMatching({"limit = receiver", "limit != network", "process ~ post", "process ~ GRES", "process = postgres",
                  "process != nginx", "process !~ nginx", "user = www-data", "unit ~ .service",
                  "container ~ postgresql", "cc = cubic", "congestion_control ~ cub", "process ~ \"gres\"",
                  "process = 'postgres'"});
  expectNotMatching({"limit = send_buffer", "limit = send-buffer", "limit != receiver", "process = post",
                     "process !~ post", "user = root", "cc = bbr", "unit = postgresql"});
}

TEST_F(FilterTest, Numbers) {
  expectMatching({"pid = 4711", "pid > 4000", "uid = 1000", "uid < 1001 and pid != 1"});
  expectNotMatching({"pid = 1", "uid != 1000"});
}

TEST_F(FilterTest, WhatIsNotKnownSatisfiesNoCondition) {
  m_socket.info = m_builder.reportedBytes(200).build().info;  // up to Linux 4.18: no tcpi_snd_wnd
  expectNotMatching({"snd_wnd > 0", "snd_wnd <= 0", "snd_wnd = 0", "snd_wnd != 0"});
  expectMatching({"not snd_wnd > 0"});
  const auto filter = ConnectionFilter::parse("process = postgres or process != postgres or pid > 0 or rate >= 0");
  ASSERT_TRUE(filter);
  EXPECT_FALSE(filter->matches({m_socket})) << "neither owner nor rates are known";
}

TEST_F(FilterTest, AddressesAloneRuleOutWhatNothingElseCouldMend) {
  m_socket.local.port = 443;
  m_socket.remote.port = 50'000;
  const auto mayMatch = [&](std::string_view text) {
    return addressesMayMatch(ConnectionFilter::parse(text).value().root(), m_socket);
  };
  for (const char* text : {"", "sport 443", "not sport 80", "state listening", "rtt > 50ms", "not rtt > 50ms",
                           "rtt > 50ms and sport 443", "sport 80 or process ~ nginx", "not (sport 443 and rtt > 50ms)"})
    EXPECT_TRUE(mayMatch(text)) << text;
  for (const char* text : {"sport 80", "not sport 443", "rtt > 50ms and sport 80", "sport 80 or dport 80",
                           "not (sport 443 or rtt > 50ms)", "dst 203.0.113.0/24"})
    EXPECT_FALSE(mayMatch(text)) << text;
}

TEST(ConnectionFilterStates, AreNarrowedToWhatCanMatch) {
  const auto mask = [](std::string_view text) { return ConnectionFilter::parse(text).value().stateMask(); };
  constexpr std::uint32_t kAll = 0x1ffe;
  constexpr std::uint32_t kEstablished = 1U << 1;
  constexpr std::uint32_t kListen = 1U << 10;
  constexpr std::uint32_t kTimeWait = 1U << 6;
  EXPECT_EQ(mask(""), kAll);
  EXPECT_EQ(mask("dport 443"), kAll);
  EXPECT_EQ(mask("state established"), kEstablished);
  EXPECT_EQ(mask("state established dport 443"), kEstablished);
  EXPECT_EQ(mask("state established or state listen"), kEstablished | kListen);
  EXPECT_EQ(mask("state established or dport 443"), kAll);
  EXPECT_EQ(mask("not state listen"), kAll & ~kListen);
  EXPECT_EQ(mask("not (state listen or state time-wait)"), kAll & ~(kListen | kTimeWait));
  EXPECT_EQ(mask("not (state listen and dport 443)"), kAll) << "a listener with another port matches";
  EXPECT_EQ(mask("not (state listen or dport 443)"), kAll & ~kListen);
  EXPECT_EQ(mask("state established and state listen"), 0U);
}

}  // namespace
}  // namespace tcpscope
