// Documents of changes as the writer makes them and as other programs might: what is read from them, and what is
// refused.
#include "core/present/json/change_document.h"

#include <gmock/gmock.h>

#include "core/present/json/tune_document.h"

namespace tcpscope {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kDocumentKey = "net.ipv4.tcp_rmem";
constexpr std::string_view kSmall = "4096 131072 131072";
constexpr std::string_view kLarge = "4096 131072 6291456";

ChangeRecord appliedChange() {
  ChangeRecord record;
  record.id = 7;
  record.state = ChangeState::applied;
  record.bootId = "boot";
  record.networkNamespace = 4026531840;
  record.madeAtSeconds = 1'000;
  record.persist = true;
  record.settings = {{std::string(kDocumentKey), std::string(kSmall), std::string(kLarge)}};
  return record;
}

SettingPreview previewOf(std::string_view now, PreviewVerdict verdict) {
  return {std::string(kDocumentKey), std::string(now), std::string(kLarge), verdict};
}

TEST(ChangeDocument, ReadsThePreviewThatItWrites) {
  const std::string text =
      toJson(ChangeReport::of(std::vector{previewOf(kSmall, PreviewVerdict::changes)}, WallTime()));
  const auto report = readChangeReport(text);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->content, ChangeReport::Content::preview);
  EXPECT_TRUE(report->canApply());
  ASSERT_EQ(report->previews.size(), 1U);
  EXPECT_EQ(report->previews[0].key, kDocumentKey);
  EXPECT_EQ(report->previews[0].now, kSmall);
  EXPECT_EQ(report->previews[0].wanted, kLarge);
  EXPECT_EQ(toJson(*report), text) << "also with the sentences of the host";
}

TEST(ChangeDocument, AppliesNothingThatIsSetAlreadyRefusedOrUnknown) {
  std::vector<SettingPreview> rows = {previewOf(kLarge, PreviewVerdict::same)};
  const auto canApply = [&] { return readChangeReport(toJson(ChangeReport::of(rows, WallTime())))->canApply(); };
  EXPECT_FALSE(canApply());
  rows.push_back({"kernel.panic", std::nullopt, "1", PreviewVerdict::refused, SettingRefusal::keyNotAllowed});
  rows.push_back(previewOf(kSmall, PreviewVerdict::changes));
  EXPECT_FALSE(canApply());
  EXPECT_FALSE(readChangeReport(R"({"schema": "tcpscope.changes", "preview": [{"key": "a", "verdict": "changes"},
                                    {"key": "b", "verdict": "newer"}]})")
                   ->canApply());
}

TEST(ChangeDocument, ReadsTheJournalThatItWrites) {
  const auto time = WallTime::fromNanoseconds(1'020'900'000'000);
  const auto report = readChangeReport(toJson(ChangeReport::of(std::vector{appliedChange()}, time)));
  ASSERT_TRUE(report);
  EXPECT_EQ(report->content, ChangeReport::Content::changes);
  EXPECT_THAT(report->changes, ElementsAre(appliedChange()));
  EXPECT_EQ(report->time, WallTime::fromNanoseconds(1'020'000'000'000)) << "whole seconds";
  const auto nothing = readChangeReport(toJson(ChangeReport::of(std::vector<ChangeRecord>(), time)));
  ASSERT_TRUE(nothing);
  EXPECT_THAT(nothing->changes, IsEmpty());
}

TEST(ChangeDocument, ReadsTheRevertThatItWrites) {
  RevertedChange reverted{appliedChange(),
                          {{std::string(kDocumentKey), RestoreOutcome::restored, std::string(kSmall)}}};
  const auto read = [&] { return readChangeReport(toJson(ChangeReport::of(reverted, WallTime()))); };
  ASSERT_TRUE(read());
  EXPECT_EQ(read()->content, ChangeReport::Content::revert);
  EXPECT_EQ(read()->restored.at(0).now, kSmall);
  EXPECT_FALSE(read()->isPartial());
  reverted.settings[0].outcome = RestoreOutcome::leftAlone;
  EXPECT_TRUE(read()->isPartial());
  reverted.settings[0].outcome = RestoreOutcome::restored;
  reverted.fileLeftAlone = true;
  EXPECT_TRUE(read()->isPartial());
}

TEST(ChangeDocument, RefusesOtherDocuments) {
  for (const std::string_view text : {"", "{", "[]", "null", "{}", R"({"schema": "tcpscope.connections"})",
                                      R"({"schema": "tcpscope.changes", "preview": 1, "changes": {}})"}) {
    EXPECT_FALSE(readChangeReport(text)) << text;
    EXPECT_FALSE(readTuneReport(text)) << text;
  }
}

TEST(ChangeDocument, ReadsValuesOfAnotherTypeAsMissing) {
  const auto report = readChangeReport(R"({"schema": "tcpscope.changes", "time": 1, "changes": [
      {"id": "7", "state": 3, "made_at": "2026-13-01T00:00:00Z", "settings": {"key": 1}}, 5, null]})");
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->time);
  EXPECT_THAT(report->changes, ElementsAre(ChangeRecord(), ChangeRecord(), ChangeRecord()));
}

TEST(ChangeDocument, LetsNoControlCharacterThrough) {
  const auto report = readChangeReport(
      R"({"schema": "tcpscope.changes", "preview": [{"key": "a\u001b[31m", "wanted": "\u202eb", "verdict": "changes",
          "notes": ["\u0007c"]}]})");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->previews.at(0).key.find('\x1b'), std::string::npos);
  EXPECT_EQ(report->previews.at(0).wanted, "b");
  EXPECT_THAT(report->previews.at(0).notes, ElementsAre("c"));
  EXPECT_THAT(readChangeReport(R"({"schema": "tcpscope.changes", "preview": []})")->previews, IsEmpty());
}

}  // namespace
}  // namespace tcpscope
