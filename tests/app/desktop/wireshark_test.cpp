#include "app/desktop/wireshark.h"

#include <gtest/gtest.h>

#include "tests/app/desktop/pretended_wireshark.h"

namespace tcpscope {
namespace {

TEST(Wireshark, IsStartedWithTheFileAndTheFilter) {
  const test::OnlyPath path;
  const QString arguments = test::pretendWireshark(path);
  ASSERT_TRUE(startWireshark("/tmp/a capture.pcap", "tcp.port == 443"));
  EXPECT_EQ(test::contentOnceWritten(arguments), "-r\n/tmp/a capture.pcap\n-Y\ntcp.port == 443\nend\n");
}

TEST(Wireshark, IsStartedAtAFrame) {
  const test::OnlyPath path;
  const QString arguments = test::pretendWireshark(path);
  ASSERT_TRUE(startWireshark("/tmp/a.pcap", "tcp", 17));
  EXPECT_EQ(test::contentOnceWritten(arguments), "-r\n/tmp/a.pcap\n-Y\ntcp\n-g\n17\nend\n");
}

TEST(Wireshark, IsMissingWhereItIsNotInstalled) {
  const test::OnlyPath path;
  EXPECT_FALSE(startWireshark("/tmp/a.pcap", "tcp"));
}

}  // namespace
}  // namespace tcpscope
