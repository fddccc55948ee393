#include "core/model/tcp_state.h"

#include <gtest/gtest.h>
#include <netinet/tcp.h>

namespace tcpscope {
namespace {

TEST(TcpState, HasTheKernelsNumbers) {
  EXPECT_EQ(tcpStateFromKernel(TCP_ESTABLISHED), TcpState::established);
  EXPECT_EQ(tcpStateFromKernel(TCP_SYN_SENT), TcpState::synSent);
  EXPECT_EQ(tcpStateFromKernel(TCP_SYN_RECV), TcpState::synReceived);
  EXPECT_EQ(tcpStateFromKernel(TCP_FIN_WAIT1), TcpState::finWait1);
  EXPECT_EQ(tcpStateFromKernel(TCP_FIN_WAIT2), TcpState::finWait2);
  EXPECT_EQ(tcpStateFromKernel(TCP_TIME_WAIT), TcpState::timeWait);
  EXPECT_EQ(tcpStateFromKernel(TCP_CLOSE), TcpState::close);
  EXPECT_EQ(tcpStateFromKernel(TCP_CLOSE_WAIT), TcpState::closeWait);
  EXPECT_EQ(tcpStateFromKernel(TCP_LAST_ACK), TcpState::lastAck);
  EXPECT_EQ(tcpStateFromKernel(TCP_LISTEN), TcpState::listen);
  EXPECT_EQ(tcpStateFromKernel(TCP_CLOSING), TcpState::closing);
}

TEST(TcpState, CallsAStateOfALaterKernelUnknown) {
  EXPECT_EQ(tcpStateFromKernel(13), TcpState::unknown);
  EXPECT_EQ(tcpStateFromKernel(255), TcpState::unknown);
}

TEST(TcpState, HasTheNamesOfRfc9293) {
  EXPECT_EQ(name(TcpState::established), "ESTABLISHED");
  EXPECT_EQ(name(TcpState::finWait2), "FIN-WAIT-2");
  EXPECT_EQ(name(TcpState::newSynReceived), name(TcpState::synReceived));
}

}  // namespace
}  // namespace tcpscope
