// Reports of changes as the rows and notes of the change panel.
#include "app/desktop/change_display.h"

#include <gmock/gmock.h>

#include "core/present/json/tune_document.h"

namespace tcpscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kDisplayedKey = "net.ipv4.tcp_rmem";
constexpr std::string_view kSmall = "4096 131072 131072";
constexpr std::string_view kLarge = "4096 131072 6291456";

ChangeRecord appliedRecord() {
  ChangeRecord record;
  record.id = 7;
  record.state = ChangeState::applied;
  record.settings = {{std::string(kDisplayedKey), std::string(kSmall), std::string(kLarge)}};
  return record;
}

TEST(ChangeDisplay, ShowsAPreview) {
  SettingPreview row{std::string(kDisplayedKey), std::string(kSmall), std::string(kLarge)};
  row.notes = {"A note of the host."};
  const ChangeDisplay display = displayOf(ChangeReport::of(std::vector{row}, WallTime()));
  EXPECT_TRUE(display.canApply);
  const HostChangeRow shown{std::string(kDisplayedKey), std::string(kSmall), std::string(kLarge), "would change",
                            std::string(kSmall)};
  EXPECT_THAT(display.rows, ElementsAre(shown));
  EXPECT_THAT(display.notes, ElementsAre("A note of the host."));
}

TEST(ChangeDisplay, ShowsWhatWasAppliedAndWhatWasReverted) {
  const ChangeDisplay applied = displayOf(ChangeReport::of(std::vector{appliedRecord()}, WallTime()));
  EXPECT_EQ(applied.rows.at(0).now, kLarge);
  EXPECT_THAT(applied.rows.at(0).text, HasSubstr(std::string(kSmall)));
  const RevertedChange reverted{appliedRecord(),
                                {{std::string(kDisplayedKey), RestoreOutcome::restored, std::string(kSmall)}}};
  EXPECT_EQ(displayOf(ChangeReport::of(reverted, WallTime())).rows.at(0).now, kSmall);
  EXPECT_THAT(displayOf(ChangeReport::of(std::vector<ChangeRecord>(), WallTime())).rows, IsEmpty());
}

TEST(ChangeDisplay, NamesTheFileThatSetsASysctl) {
  SettingPreview row{std::string(kDisplayedKey), std::string(kSmall), std::string(kLarge)};
  row.setBy = SysctlSource{UntrustedText("/etc/sysctl.d/50-net.conf"), 3, UntrustedText(std::string(kSmall))};
  const ChangeDisplay display = displayOf(ChangeReport::of(std::vector{row}, WallTime()));
  EXPECT_EQ(display.rows.at(0).setBy, "/etc/sysctl.d/50-net.conf:3");
}

TEST(ChangeDisplay, WithoutARequestShowsEveryOptionAsPeopleReadIt) {
  const auto current = readTuneReport(R"({"schema": "tcpscope.tune", "options": [
        {"name": "SO_SNDBUF", "value_bytes": 131072, "set_by": "program", "text": "memory"},
        {"name": "TCP_USER_TIMEOUT", "value_us": 30000000, "set_by": "tcpscope", "text": "gives up"},
        {"name": "SO_MAX_PACING_RATE", "value_bps": "unlimited", "text": "rate"},
        {"name": "TCP_NODELAY", "value": true, "text": "at once"},
        {"name": "SO_NOTHING", "value_bytes": -1, "set_by": "init", "text": "unknown here"}]})");
  ASSERT_TRUE(current);
  const ChangeDisplay display = displayOfOptions(*current, {});
  ASSERT_EQ(display.rows.size(), 5U);
  EXPECT_EQ(display.rows[0].nowText, "128 KiB");
  EXPECT_EQ(display.rows[0].setBy, "the program");
  EXPECT_EQ(display.rows[1].nowText, "30.0 s");
  EXPECT_EQ(display.rows[1].setBy, "tcpscope");
  EXPECT_EQ(display.rows[2].nowText, "unlimited");
  EXPECT_EQ(display.rows[3].nowText, "on");
  EXPECT_EQ(display.rows[4].nowText, "");
  EXPECT_EQ(display.rows[4].setBy, "");
  EXPECT_FALSE(display.canApply) << "nothing is asked for";
}

TEST(ChangeDisplay, ShowsSocketOptionsInTheirUnits) {
  const auto current = readTuneReport(R"({"schema": "tcpscope.tune", "options": [
        {"name": "SO_SNDBUF", "value_bytes": 131072, "text": "bytes"},
        {"name": "SO_BUF_LOCK", "value": "send"}, {"name": "TCP_NODELAY", "value": true}]})");
  ASSERT_TRUE(current);
  const ChangeDisplay display =
      displayOfOptions(*current, {{SettingKind::socketOption, "SO_SNDBUF", std::nullopt, "2097152"},
                                  {SettingKind::socketOption, "SO_BUF_LOCK", "1", "0"},
                                  {SettingKind::socketOption, "SO_RCVBUF", "5", "6"}});
  const HostChangeRow size{"SO_SNDBUF", "131072", "4194304", "bytes; set to 2097152"};
  const HostChangeRow lock{"SO_BUF_LOCK", "send", "none", ""};
  const HostChangeRow outOfRange{"SO_RCVBUF", "5", "6", ""};
  EXPECT_THAT(display.rows, ElementsAre(size, lock, outOfRange));
  EXPECT_FALSE(display.canRevert);
  const auto changed = readTuneReport(R"({"schema": "tcpscope.tune", "notes": [{"text": "It is capped."}], "changes": [
        {"name": "SO_SNDBUF", "before_bytes": 131072, "wanted_bytes": 4194304, "after_bytes": 425984}]})");
  ASSERT_TRUE(changed);
  const ChangeDisplay changes = displayOfOptionChanges(*changed);
  EXPECT_THAT(changes.rows, ElementsAre(HostChangeRow{"SO_SNDBUF", "425984", "4194304", "was 131072 before"}));
  EXPECT_THAT(changes.notes, ElementsAre("It is capped."));
}

}  // namespace
}  // namespace tcpscope
