#include "core/present/text/capture_text.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace tcpscope {
namespace {

CaptureFault faultOf(CaptureFaultKind kind) {
  CaptureFault fault;
  fault.kind = kind;
  return fault;
}

TEST(CaptureText, SaysWhatAFileIsInsteadOfACapture) {
  CaptureFault fault = faultOf(CaptureFaultKind::otherFormat);
  fault.format = FileFormat::xz;
  EXPECT_EQ(refusal(fault, UntrustedText("x.pcap.xz")),
            "'x.pcap.xz' is compressed with xz, not a pcap or pcapng capture; decompress it first: xz -dk FILE");
  fault.format = FileFormat::tcpscopeRecording;
  EXPECT_NE(refusal(fault, UntrustedText("x")).find("analyze"), std::string::npos);
}

TEST(CaptureText, HasAOneLineRefusalForEveryFault) {
  for (int kind = 0; kind <= static_cast<int>(CaptureFaultKind::lostPackets); ++kind) {
    const std::string text = refusal(faultOf(static_cast<CaptureFaultKind>(kind)), UntrustedText("na\x1bme\n"));
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
    EXPECT_NE(text.find("'name'"), std::string::npos) << text;
  }
}

TEST(CaptureText, NamesEveryFormat) {
  for (int format = 1; format <= static_cast<int>(FileFormat::image); ++format) {
    EXPECT_NE(title(static_cast<FileFormat>(format)), title(FileFormat::unknown)) << format;
  }
}

TEST(CaptureText, SaysEveryGapInSentences) {
  for (int kind = 0; kind <= static_cast<int>(CaptureGapKind::stopped); ++kind) {
    CaptureGap gap;
    gap.kind = static_cast<CaptureGapKind>(kind);
    gap.count = 2;
    const std::string text = sentence(gap);
    ASSERT_FALSE(text.empty()) << kind;
    EXPECT_EQ(text.back(), '.') << text;
  }
}

TEST(CaptureText, CountsInWordsThatFit) {
  CaptureGap gap;
  gap.count = 1;
  EXPECT_EQ(sentence(gap), "1 packet was not TCP.");
  gap.count = 12;
  EXPECT_EQ(sentence(gap), "12 packets were not TCP.");
}

}  // namespace
}  // namespace tcpscope
