#include "core/present/text/control_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using testing::HasSubstr;

TEST(ControlText, EachFailureSaysWhatToDoNext) {
  EXPECT_THAT(sentence(ControlFailure::notPermitted), HasSubstr("sudo tcpscope-cli lab congestion-controls load"));
  EXPECT_THAT(sentence(ControlFailure::notSupported), HasSubstr("Linux 6.4"));
  EXPECT_THAT(sentence(ControlFailure::notBuilt), HasSubstr("built without"));
  EXPECT_THAT(sentence(ControlFailure::nameTaken), HasSubstr("bpftool struct_ops list"));
  EXPECT_THAT(sentence(ControlFailure::noBpfFileSystem), HasSubstr("sudo mount -t bpf bpf /sys/fs/bpf"));
  EXPECT_THAT(sentence(ControlFailure::failed), HasSubstr("doctor"));
}

TEST(ControlText, CommandsLoadOursAndModules) {
  EXPECT_EQ(loadCommand("ghstcp"), "sudo tcpscope-cli lab congestion-controls load");
  EXPECT_EQ(loadCommand("htcp"), "sudo modprobe tcp_htcp");
}

}  // namespace
}  // namespace tcpscope
