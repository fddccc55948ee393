// A host for each test, in the network namespace of this program's own.
#pragma once

#include <gtest/gtest.h>

#include "tests/app/changes/changed_host.h"
#include "tests/support/own_namespace.h"

namespace tcpscope::test {

class SysctlChangerTest : public testing::Test {
protected:
  void SetUp() override {
    if (!hasOwnNamespace()) GTEST_SKIP() << "no network namespace of one's own here";
    ChangedHost::set(kSack, "1");
    ChangedHost::set(kRmem, "4096 131072 6291456");
  }
  static ChangeErrorKind kindOf(const Expected<std::optional<ChangeRecord>, ChangeError>& made) {
    EXPECT_FALSE(made.has_value());
    return made ? ChangeErrorKind::writeFailed : made.error().kind;
  }
  /// Applied, without a timer.
  [[nodiscard]] ChangeRecord applied(std::vector<WantedSetting> settings, bool persist = false) const {
    const auto made = m_host.changes().apply({std::move(settings), {}, persist, {}});
    EXPECT_TRUE(made && *made);
    return made && *made ? **made : ChangeRecord();
  }

  ChangedHost m_host;
};

}  // namespace tcpscope::test
