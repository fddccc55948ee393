#include "core/present/text/lab_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::Not;

LabError error(LabErrorKind kind, int errorNumber, const char* object = "") {
  return LabError{kind, errorNumber, UntrustedText(object)};
}

TEST(LabErrorSentence, NamesTheSysctlThatDeniesUserNamespacesAndTheCommandThatAllowsThem) {
  EXPECT_THAT(sentence(error(LabErrorKind::noUserNamespaces, EPERM, "kernel.unprivileged_userns_clone")),
              HasSubstr("sudo sysctl -w kernel.unprivileged_userns_clone=1"));
  EXPECT_THAT(sentence(error(LabErrorKind::noUserNamespaces, ENOSPC, "user.max_user_namespaces")),
              HasSubstr("sudo sysctl -w user.max_user_namespaces=15000"));
  EXPECT_THAT(sentence(error(LabErrorKind::noUserNamespaces, EPERM, "kernel.apparmor_restrict_unprivileged_userns")),
              HasSubstr("sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"));
}

TEST(LabErrorSentence, NamesNoSysctlWhereNoneDenies) {
  EXPECT_THAT(sentence(error(LabErrorKind::noUserNamespaces, EPERM)), Not(HasSubstr("sysctl")));
}

TEST(LabErrorSentence, SaysWhetherASysctlIsMissingReadOnlyOrHasAnotherValue) {
  const char* key = "net.core.rmem_max";
  EXPECT_THAT(sentence(error(LabErrorKind::sysctlRefused, EACCES, key)), HasSubstr("read-only inside a network"));
  EXPECT_THAT(sentence(error(LabErrorKind::sysctlRefused, ENOENT, key)), HasSubstr("has no sysctl net.core.rmem_max"));
  EXPECT_THAT(sentence(error(LabErrorKind::sysctlRefused, EINVAL, key)), HasSubstr("refuses"));
  EXPECT_THAT(sentence(error(LabErrorKind::sysctlRefused, 0, key)), HasSubstr("took another value"));
}

TEST(LabErrorSentence, NamesWhatBoundsABuffer) {
  EXPECT_THAT(sentence(error(LabErrorKind::optionRefused, 0, "SO_RCVBUF")), HasSubstr("net.core.rmem_max"));
  EXPECT_THAT(sentence(error(LabErrorKind::optionRefused, 0, "SO_SNDBUF")), HasSubstr("net.core.wmem_max"));
}

TEST(LabErrorSentence, SaysHowToGetACongestionControl) {
  EXPECT_THAT(sentence(error(LabErrorKind::noCongestionControl, ENOENT, "htcp")), HasSubstr("modprobe tcp_htcp"));
  EXPECT_THAT(sentence(error(LabErrorKind::noCongestionControl, 0, "ghstcp")),
              HasSubstr("sudo tcpscope-cli lab congestion-controls load"));
}

TEST(LabErrorSentence, LetsNoControlCharactersThrough) {
  EXPECT_THAT(sentence(error(LabErrorKind::setUpFailed, EIO, "a\x1b[2Jhost")), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace tcpscope
