// What ss prints of a socket, line by line: as iproute2 6.1 does and, after its source, as versions before 5.5 did. The
// ss of this machine is held against the kernel in ss_agreement_test.
#include "collectors/ss/ss_socket.h"

#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

const SsDialect kNew = SsDialect::of("6.1.0-13-amd64", "ss utility, iproute2-6.1.0");
const SsDialect kOld = SsDialect::of("4.9.0-19-amd64", "ss utility, iproute2-ss161212");

constexpr std::string_view kBusy =
    "ESTAB 0 2555904 192.0.2.1:443 198.51.100.2:50000 timer:(on,204ms,0) uid:1000 ino:4242 sk:1a2b cgroup:/user <-> "
    "skmem:(r0,rb131072,t4352,tb2626560,f2816,w2641152,o0,bl0,d3) ts sack ecn cubic wscale:7,9 rto:204 rtt:3.25/0.5 "
    "ato:40 mss:1448 pmtu:1500 rcvmss:536 advmss:1448 cwnd:10 ssthresh:7 bytes_sent:1000 bytes_retrans:200 "
    "bytes_acked:800 bytes_received:12 segs_out:9 segs_in:8 data_segs_out:7 data_segs_in:1 send 35643077bps lastsnd:4 "
    "lastrcv:5000 lastack:8 pacing_rate 42771688bps/80000000bps delivery_rate 16000bps delivered:6 app_limited "
    "busy:1500ms rwnd_limited:400ms(26.7%) sndbuf_limited:12ms(0.8%) unacked:4 retrans:1/5 lost:2 sacked:3 "
    "dsack_dups:1 reordering:8 reord_seen:2 rcv_rtt:1.5 rcv_space:14480 rcv_ssthresh:64088 notsent:2550000 minrtt:3 "
    "rcv_ooopack:6 snd_wnd:65536 rcv_wnd:64256";

SocketObservation parsed(std::string_view text, const SsDialect& dialect = kNew) {
  const auto socket = parseSsSocket(text, dialect);
  EXPECT_TRUE(socket) << text;
  return socket ? socket->observation : SocketObservation();
}

TEST(SsSocket, ReadsAddressesStateAndOwner) {
  const SocketObservation socket = parsed(kBusy);
  EXPECT_EQ(socket.id.cookie, 0x1a2bU);
  EXPECT_EQ(socket.state, TcpState::established);
  EXPECT_EQ(socket.local.toString(), "192.0.2.1:443");
  EXPECT_EQ(socket.remote.toString(), "198.51.100.2:50000");
  EXPECT_EQ(socket.userId, 1000U);
  EXPECT_EQ(socket.inode, 4242U);
  EXPECT_EQ(socket.sendQueue, Bytes(2'555'904));
  EXPECT_EQ(socket.congestionControl.text(), "cubic");
  ASSERT_TRUE(socket.memory);
  EXPECT_EQ(socket.memory->sendQueued, Bytes(2'641'152));
  EXPECT_EQ(socket.memory->sendBuffer, Bytes(2'626'560));
  EXPECT_EQ(socket.memory->drops, Count(3));
}

TEST(SsSocket, ReadsEveryFigureInItsUnit) {
  const TcpInfoSample info = parsed(kBusy).info;
  EXPECT_EQ(info.state(), TcpState::established);
  EXPECT_EQ(info.rto(), milliseconds(204));
  EXPECT_EQ(info.rtt(), microseconds(3250));
  EXPECT_EQ(info.rttvar(), microseconds(500));
  EXPECT_EQ(info.minRtt(), milliseconds(3));
  EXPECT_EQ(info.rcvRtt(), microseconds(1500));
  EXPECT_EQ(info.sndCwnd(), Segments(10));
  EXPECT_EQ(info.sndSsthresh(), Segments(7));
  EXPECT_EQ(info.retrans(), Segments(1));
  EXPECT_EQ(info.totalRetrans(), Segments(5));
  EXPECT_EQ(info.bytesRetrans(), Bytes(200));
  EXPECT_EQ(info.lastDataRecv(), milliseconds(5000));
  EXPECT_EQ(info.busyTime(), milliseconds(1500));
  EXPECT_EQ(info.rwndLimited(), milliseconds(400));
  EXPECT_EQ(info.sndbufLimited(), milliseconds(12));
  EXPECT_EQ(info.pacingRate(), BitsPerSecond(42'771'688));
  EXPECT_EQ(info.maxPacingRate(), BitsPerSecond(80'000'000));
  EXPECT_EQ(info.deliveryRate(), BitsPerSecond(16'000));
  EXPECT_EQ(info.deliveryRateAppLimited(), true);
  EXPECT_EQ(info.sndWscale(), Count(7));
  EXPECT_EQ(info.rcvWscale(), Count(9));
  EXPECT_EQ(info.sndWnd(), Bytes(65'536));
  EXPECT_EQ(info.rcvWnd(), Bytes(64'256));
  ASSERT_TRUE(info.options());
  EXPECT_TRUE(info.options()->timestamps() && info.options()->sack() && info.options()->ecn());
  EXPECT_FALSE(info.options()->ecnSeen());
}

TEST(SsSocket, WhatSsHasNoWordForIsNotKnown) {
  const SocketObservation socket = parsed(kBusy);
  EXPECT_FALSE(socket.info.caState());
  EXPECT_FALSE(socket.info.retransmits());
  EXPECT_FALSE(socket.info.probes());
  EXPECT_FALSE(socket.info.fastopenClientFail());
  EXPECT_FALSE(socket.info.lastAckSent());
  EXPECT_FALSE(socket.info.totalRto());
  EXPECT_FALSE(socket.info.totalRtoTime());
  EXPECT_FALSE(socket.cgroupId);
  EXPECT_FALSE(socket.bbr);
}

constexpr std::string_view kQuiet =
    "ESTAB 0 0 127.0.0.1:80 127.0.0.1:5000 ino:1 sk:5 <-> skmem:(r0,rb1,t0,tb2,f0,w0,o0,bl0,d0) cubic rto:200 "
    "rtt:0.02/0.01 mss:1448 cwnd:10";

TEST(SsSocket, AWordThatIsLeftOutIsZeroWhereKernelAndSsKnowIt) {
  const TcpInfoSample info = parsed(kQuiet).info;
  EXPECT_EQ(info.busyTime(), microseconds(0));
  EXPECT_EQ(info.rwndLimited(), microseconds(0));
  EXPECT_EQ(info.bytesAcked(), Bytes(0));
  EXPECT_EQ(info.totalRetrans(), Segments(0));
  EXPECT_EQ(info.notsentBytes(), Bytes(0));
  EXPECT_EQ(info.sndWnd(), Bytes(0));
  EXPECT_EQ(info.reordering(), Segments(3)) << "the usual one is left out";
  EXPECT_EQ(info.deliveryRateAppLimited(), false);
  EXPECT_EQ(info.sndWscale(), Count(0));
  ASSERT_TRUE(info.options());
  EXPECT_EQ(info.options()->bits, 0);
}

TEST(SsSocket, AWordWhoseAbsenceMaySayMoreIsNotKnown) {
  const TcpInfoSample info =
      parsed("ESTAB 0 0 127.0.0.1:80 127.0.0.1:5000 sk:5 skmem:(r0,rb1,t0,tb2,f0,w0,o0,bl0,d0) cubic cwnd:10").info;
  EXPECT_FALSE(info.rto());
  EXPECT_FALSE(info.rtt());
  EXPECT_FALSE(info.rttvar());
  EXPECT_FALSE(info.minRtt());
  EXPECT_FALSE(info.sndSsthresh());
  EXPECT_FALSE(info.pacingRate());
  EXPECT_FALSE(info.maxPacingRate());
  EXPECT_FALSE(info.rcvWnd());
  EXPECT_FALSE(info.rehash());
}

TEST(SsSocket, MissingWordsOfAnOldSsDoNotMeanZero) {
  const TcpInfoSample info = parsed(kQuiet, kOld).info;
  EXPECT_EQ(info.sndCwnd(), Segments(10));
  EXPECT_FALSE(info.busyTime());
  EXPECT_FALSE(info.bytesAcked());
  EXPECT_FALSE(info.totalRetrans());
  EXPECT_FALSE(info.options());
  EXPECT_FALSE(info.sndWscale());
}

TEST(SsSocket, AnOldKernelReportsNothingThatCouldBeZero) {
  const TcpInfoSample info = parsed(kQuiet, SsDialect::of("4.4.0", "iproute2-6.1.0")).info;
  EXPECT_EQ(info.bytesAcked(), Bytes(0));
  EXPECT_FALSE(info.busyTime()) << "since Linux 4.10";
  EXPECT_FALSE(info.deliveryRateAppLimited()) << "since Linux 4.9";
  EXPECT_FALSE(info.bytesSent()) << "since Linux 4.19";
}

TEST(SsSocket, RatesThatWereRoundedForPeopleAreNotKnown) {
  const TcpInfoSample info = parsed(
                                 "ESTAB 0 0 127.0.0.1:80 127.0.0.1:5000 sk:5 skmem:(r0,rb1,t0,tb2,f0,w0,o0,bl0) cubic "
                                 "cwnd:10 send 11.6Mbps pacing_rate 23.2Mbps delivery_rate 1.4Gbps")
                                 .info;
  EXPECT_FALSE(info.pacingRate());
  EXPECT_FALSE(info.deliveryRate());
}

TEST(SsSocket, ReadsTheSecondLineOfAnOldSs) {
  const SocketObservation socket = parsed(
      "ESTAB      0      0      127.0.0.1:80                 127.0.0.1:5000                timer:(keepalive,1min,0) "
      "ino:1 sk:9 <->\n\t skmem:(r0,rb1,t0,tb2,f0,w0,o0,bl0) cubic wscale:7,7 cwnd:10",
      kOld);
  EXPECT_EQ(socket.id.cookie, 9U);
  EXPECT_EQ(socket.info.sndCwnd(), Segments(10));
  EXPECT_FALSE(socket.memory->drops);
}

TEST(SsSocket, ReadsEveryFormOfAnAddress) {
  const auto ends = [](const std::string& local, const std::string& remote) {
    const SocketObservation socket = parsed("LISTEN 0 128 " + local + " " + remote + " ino:1 sk:1");
    return socket.local.toString() + " " + socket.remote.toString();
  };
  EXPECT_EQ(ends("0.0.0.0:22", "0.0.0.0:*"), "0.0.0.0:22 0.0.0.0:0");
  EXPECT_EQ(ends("*:22", "*:*"), "[::]:22 [::]:0");
  EXPECT_EQ(ends("[::1]:22", "[::]:*"), "[::1]:22 [::]:0");
  EXPECT_EQ(ends("127.0.0.1%lo:80", "0.0.0.0:*"), "127.0.0.1:80 0.0.0.0:0");
  EXPECT_EQ(ends("[fe80::1]%eth0:80", "[fe80::2]%eth0:9"), "[fe80::1]:80 [fe80::2]:9");
  EXPECT_EQ(ends("[::ffff:192.0.2.1]:80", "[::ffff:192.0.2.2]:9"), "[::ffff:192.0.2.1]:80 [::ffff:192.0.2.2]:9");
  EXPECT_EQ(ends("::1:80", ":::*"), "[::1]:80 [::]:0") << "as ss of iproute2 4 writes it";
}

TEST(SsSocket, ASocketWithoutFiguresHasNone) {
  const SocketObservation socket =
      parsed("TIME-WAIT 0 0 127.0.0.1:80 127.0.0.1:5000 timer:(timewait,59sec,0) ino:0 sk:7");
  EXPECT_EQ(socket.state, TcpState::timeWait);
  EXPECT_TRUE(socket.info.empty());
  EXPECT_FALSE(socket.memory);
}

TEST(SsSocket, TheLongestQueueOfAListenerIsItsSendQueueOnly) {
  const SocketObservation socket = parsed(
      "LISTEN 2 128 0.0.0.0:22 0.0.0.0:* ino:1 sk:1 skmem:(r0,rb1,t0,tb2,f0,w0,o0,bl0,d0) cubic cwnd:10 "
      "unacked:2");
  EXPECT_EQ(socket.sendQueue, Bytes(128));
  EXPECT_EQ(socket.info.unacked(), Segments(2));
  EXPECT_FALSE(socket.info.sacked());
}

TEST(SsSocket, TheNameOfACgroupIsNotReadAsFigures) {
  const SocketObservation socket = parsed(
      "ESTAB 0 0 127.0.0.1:80 127.0.0.1:5000 ino:1 sk:5 cgroup:/a sk:6 skmem:(r9,rb9,t9,tb9,f9,w9,o9,bl9) bbr "
      "cwnd:99 skmem:(r0,rb1,t0,tb2,f0,w0,o0,bl0) reno mss:7");
  EXPECT_EQ(socket.id.cookie, 5U);
  EXPECT_EQ(socket.memory->receiveBuffer, Bytes(1));
  EXPECT_EQ(socket.congestionControl.text(), "reno");
  EXPECT_EQ(socket.info.sndCwnd(), Segments(0));
  EXPECT_EQ(socket.info.sndMss(), Bytes(7));
}

TEST(SsSocket, MalformedNumbersStayUnknown) {
  const TcpInfoSample info =
      parsed(
          "ESTAB 0 0 127.0.0.1:80 127.0.0.1:5000 sk:5 skmem:(r0,rb1,t0,tb2,f0,w0,o0,bl0) cubic mss:1448 "
          "cwnd:99999999999 rto:-4 rtt:nan/inf busy:12 rwnd_limited:ms pacing_rate -1bps retrans:1 wscale:99,7",
          kOld)
          .info;
  EXPECT_EQ(info.sndMss(), Bytes(1448));
  EXPECT_FALSE(info.sndCwnd());
  EXPECT_FALSE(info.rto());
  EXPECT_FALSE(info.rtt());
  EXPECT_FALSE(info.busyTime());
  EXPECT_FALSE(info.rwndLimited());
  EXPECT_FALSE(info.pacingRate());
  EXPECT_FALSE(info.retrans());
  EXPECT_FALSE(info.sndWscale());
}

TEST(SsSocket, TextThatIsNoSocketIsRefused) {
  for (const char* text : {"", "State Recv-Q Send-Q Local Address:Port Peer Address:Port", "ESTAB 0 0 127.0.0.1:80",
                           "ESTAB 0 0 127.0.0.1:80 127.0.0.1:5000 ino:1", "ESTAB 0 0 127.0.0.1:80 127.0.0.1:5000 sk:0",
                           "ESTAB 0 0 127.0.0.1:99999 127.0.0.1:5000 sk:1", "ESTAB x 0 127.0.0.1:1 127.0.0.1:5000 sk:1",
                           "GONE 0 0 127.0.0.1:1 127.0.0.1:5000 sk:1", "ESTAB 0 0 localhost:1 127.0.0.1:5000 sk:1"}) {
    EXPECT_FALSE(parseSsSocket(text, kNew)) << text;
  }
}

TEST(SsSocket, AgesAndTimersAreNoChange) {
  const auto digest = [](std::string_view rest) {
    return parseSsSocket("ESTAB 0 0 127.0.0.1:80 127.0.0.1:5000 " + std::string(rest), kNew)->digest;
  };
  const auto before = digest("timer:(keepalive,59sec,0) sk:5 skmem:(r0) cubic cwnd:10 lastsnd:4 lastack:9");
  EXPECT_EQ(before, digest("timer:(keepalive,58sec,0) sk:5 skmem:(r0) cubic cwnd:10 lastsnd:1004 lastack:1009"));
  EXPECT_NE(before, digest("timer:(keepalive,59sec,0) sk:5 skmem:(r0) cubic cwnd:11 lastsnd:4 lastack:9"));
}

TEST(SsSocket, RetriesOfATimerAreAChange) {
  const auto digest = [](std::string_view timer) {
    return parseSsSocket("SYN-RECV 0 0 127.0.0.1:80 127.0.0.1:5000 " + std::string(timer) + " sk:5", kNew)->digest;
  };
  EXPECT_NE(digest("timer:(on,2.1sec,1)"), digest("timer:(on,2.1sec,2)"));
  EXPECT_EQ(digest("timer:(on,2.1sec,1)"), digest("timer:(on,1.9sec,1)"));
}

TEST(SsDialect, FindsTheReleaseInWhatBothSay) {
  EXPECT_EQ(firstReleaseIn("5.14.0-362.el9.x86_64"), (ReleaseNumber{5, 14}));
  EXPECT_EQ(firstReleaseIn("ss utility, iproute2-5.15.0, libbpf 0.5.0"), (ReleaseNumber{5, 15}));
  EXPECT_EQ(firstReleaseIn("6 weeks"), ReleaseNumber());
  EXPECT_EQ(SsDialect::of("5.4.0", "ss utility, iproute2-ss190107").ss, ReleaseNumber());
}

}  // namespace
}  // namespace tcpscope
