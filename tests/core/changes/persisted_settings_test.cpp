// The file for the next boot follows from the journal.
#include "core/changes/persisted_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::Not;

ChangeRecord confirmed(std::uint32_t id, std::vector<ChangedSetting> settings) {
  ChangeRecord record;
  record.id = id;
  record.state = ChangeState::confirmed;
  record.madeAtSeconds = 1'795'350'570;
  record.persist = true;
  record.settings = std::move(settings);
  return record;
}

TEST(PersistedSettings, SayWhatWasSetBeforeAndWhen) {
  const std::string text =
      persistedSettings({confirmed(3, {{"net.ipv4.tcp_rmem", "4096 131072 6291456", "4096 131072 67108864"}})});
  EXPECT_THAT(text, HasSubstr("# Change 3 of 2026-11-22; before it: 4096 131072 6291456\n"
                              "net.ipv4.tcp_rmem = 4096 131072 67108864\n"));
}

TEST(PersistedSettings, TheLatestChangeOfAKeyCounts) {
  const std::string text = persistedSettings(
      {confirmed(9, {{"net.ipv4.tcp_sack", "0", "1"}}), confirmed(2, {{"net.ipv4.tcp_sack", "1", "0"}})});
  EXPECT_THAT(text, HasSubstr("net.ipv4.tcp_sack = 1"));
  EXPECT_THAT(text, Not(HasSubstr("net.ipv4.tcp_sack = 0")));
}

TEST(PersistedSettings, NothingIsKeptThatWasNotConfirmed) {
  ChangeRecord applied = confirmed(1, {{"net.ipv4.tcp_sack", "1", "0"}});
  applied.state = ChangeState::applied;
  ChangeRecord reverted = applied;
  reverted.state = ChangeState::reverted;
  ChangeRecord forThisBoot = confirmed(2, {{"net.ipv4.tcp_ecn", "2", "1"}});
  forThisBoot.persist = false;
  EXPECT_EQ(persistedSettings({applied, reverted, forThisBoot}), "");
}

}  // namespace
}  // namespace tcpscope
