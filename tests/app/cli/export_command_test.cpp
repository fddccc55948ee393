// `export`: of a capture, what its packets show over time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/built_paths.h"
#include "tests/support/program.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

test::Outcome exported(const std::string& series) {
  return test::runCommandLine({"export", "--from", test::testData() / "captures/ndt-download-headers.pcap", "--series",
                               series, "--interval", "0.5", "-o", "-"});
}

TEST(ExportCommand, OfACaptureGivesARowForEachInterval) {
  const test::Outcome outcome = exported("receive_goodput_bps,bytes_received,snd_cwnd_segments");
  ASSERT_EQ(outcome.code, 0) << outcome.error;
  EXPECT_THAT(
      outcome.out,
      StartsWith("time_s,time,id,local,remote,process,receive_goodput_bps,bytes_received,snd_cwnd_segments\r\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\r\n0.500000,"));
  // No packet shows a congestion window.
  EXPECT_THAT(outcome.out, HasSubstr(",\r\n"));
}

}  // namespace
}  // namespace tcpscope
