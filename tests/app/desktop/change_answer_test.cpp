// The command line's documents as it writes them, and what is none of them.
#include "app/desktop/change_answer.h"

#include <gmock/gmock.h>

#include "core/present/json/change_document.h"

namespace tcpscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kAnsweredKey = "net.ipv4.tcp_rmem";
constexpr std::string_view kSmall = "4096 131072 131072";
constexpr std::string_view kLarge = "4096 131072 6291456";

ChangeRecord appliedRecord() {
  ChangeRecord record;
  record.id = 7;
  record.state = ChangeState::applied;
  record.settings = {{std::string(kAnsweredKey), std::string(kSmall), std::string(kLarge)}};
  return record;
}

TEST(ChangeAnswer, ReadsAPreview) {
  const std::vector<SettingPreview> rows = {{std::string(kAnsweredKey), std::string(kSmall), std::string(kLarge)}};
  const auto answer = readPreview(toJson(rows, WallTime()));
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->canApply);
  ASSERT_EQ(answer->rows.size(), 1U);
  EXPECT_EQ(answer->rows[0].key, kAnsweredKey);
  EXPECT_EQ(answer->rows[0].now, kSmall);
  EXPECT_EQ(answer->rows[0].wanted, kLarge);
}

TEST(ChangeAnswer, AppliesNothingThatIsSetAlreadyOrRefused) {
  std::vector<SettingPreview> rows = {{std::string(kAnsweredKey), std::string(kLarge), std::string(kLarge)}};
  rows[0].verdict = PreviewVerdict::same;
  EXPECT_FALSE(readPreview(toJson(rows, WallTime()))->canApply);
  rows.push_back({"kernel.panic", std::nullopt, "1", PreviewVerdict::refused, SettingRefusal::keyNotAllowed});
  rows.push_back({std::string(kAnsweredKey), std::string(kSmall), std::string(kLarge)});
  EXPECT_FALSE(readPreview(toJson(rows, WallTime()))->canApply);
}

TEST(ChangeAnswer, ReadsWhatWasChangedAndWhatWasUndone) {
  const auto made = readChanged(toJson(std::vector{appliedRecord()}, WallTime()));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->change, 7U);
  EXPECT_EQ(made->rows.at(0).now, kLarge);
  EXPECT_THAT(made->rows.at(0).text, HasSubstr(std::string(kSmall)));
  RevertedChange reverted;
  reverted.record = appliedRecord();
  reverted.settings = {{std::string(kAnsweredKey), RestoreOutcome::restored, std::string(kSmall)}};
  const auto undone = readChanged(toJson(reverted, WallTime()));
  ASSERT_TRUE(undone);
  EXPECT_EQ(undone->rows.at(0).now, kSmall);
  EXPECT_FALSE(undone->leftSomeAlone);
  reverted.settings[0].outcome = RestoreOutcome::leftAlone;
  EXPECT_TRUE(readChanged(toJson(reverted, WallTime()))->leftSomeAlone);
  reverted.settings[0].outcome = RestoreOutcome::restored;
  reverted.fileLeftAlone = true;
  EXPECT_TRUE(readChanged(toJson(reverted, WallTime()))->leftSomeAlone);
  const auto nothing = readChanged(toJson(std::vector<ChangeRecord>(), WallTime()));
  ASSERT_TRUE(nothing);
  EXPECT_FALSE(nothing->change);
}

TEST(ChangeAnswer, ReadsSocketOptionsInTheirUnits) {
  const auto shown = readShown(R"({"schema": "tcpscope.tune", "options": [
        {"name": "SO_SNDBUF", "value_bytes": 131072, "text": "bytes"},
        {"name": "SO_BUF_LOCK", "value": "send"}, {"name": "TCP_NODELAY", "value": true}]})",
                               {{SettingKind::socketOption, "SO_SNDBUF", std::nullopt, "2097152"},
                                {SettingKind::socketOption, "SO_BUF_LOCK", "1", "0"},
                                {SettingKind::socketOption, "SO_RCVBUF", "5", "6"}});
  ASSERT_TRUE(shown);
  const HostChangeRow size{"SO_SNDBUF", "131072", "2097152", "bytes"};
  const HostChangeRow lock{"SO_BUF_LOCK", "send", "0", ""};
  const HostChangeRow untold{"SO_RCVBUF", "5", "6", ""};
  EXPECT_THAT(shown->rows, ElementsAre(size, lock, untold));
  const auto tuned = readTuned(R"({"schema": "tcpscope.tune", "notes": [{"text": "It is capped."}], "changes": [
        {"name": "SO_SNDBUF", "before_bytes": 131072, "wanted_bytes": 4194304, "after_bytes": 425984}]})");
  ASSERT_TRUE(tuned);
  EXPECT_THAT(tuned->rows, ElementsAre(HostChangeRow{"SO_SNDBUF", "425984", "4194304", "was 131072 before"}));
  EXPECT_THAT(tuned->notes, ElementsAre("It is capped."));
}

TEST(ChangeAnswer, ReadsTheJournalOfAPlace) {
  ChangeRecord record = appliedRecord();
  record.bootId = "boot";
  record.madeAtSeconds = 1'000;
  const auto journal =
      readJournal(toJson(std::vector{record}, WallTime::fromNanoseconds(Nanoseconds(1'020'900'000'000).count())));
  ASSERT_TRUE(journal);
  ASSERT_EQ(journal->size(), 1U);
  EXPECT_EQ(journal->front().number, 7U);
  EXPECT_EQ(journal->front().state, ChangeState::applied);
  EXPECT_EQ(journal->front().bootId, "boot");
  EXPECT_EQ(journal->front().age, Milliseconds(20'000));
  EXPECT_EQ(journal->front().settings, record.settings);
  EXPECT_FALSE(readJournal("no document"));
}

TEST(ChangeAnswer, TakesNoOtherDocument) {
  for (const std::string_view text : {"", "{", "[]", "null", "{}", R"({"schema": "tcpscope.connections"})",
                                      R"({"schema": "tcpscope.changes", "preview": 1, "changes": {}})"}) {
    EXPECT_FALSE(readPreview(text)) << text;
    EXPECT_FALSE(readChanged(text)) << text;
    EXPECT_FALSE(readShown(text, {})) << text;
    EXPECT_FALSE(readTuned(text)) << text;
  }
}

TEST(ChangeAnswer, LetsNoControlCharacterThrough) {
  const auto answer = readPreview(
      R"({"schema": "tcpscope.changes", "preview": [{"key": "a\u001b[31m", "wanted": "\u202eb", "verdict": "changes",
          "notes": ["\u0007c"]}]})");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->rows.at(0).key.find('\x1b'), std::string::npos);
  EXPECT_EQ(answer->rows.at(0).wanted, "b");
  EXPECT_THAT(answer->notes, ElementsAre("c"));
  EXPECT_THAT(readPreview(R"({"schema": "tcpscope.changes", "preview": []})")->rows, IsEmpty());
}

}  // namespace
}  // namespace tcpscope
