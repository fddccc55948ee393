#include "core/present/json/change_document.h"

#include <algorithm>
#include <array>

#include "core/present/json/comparison_json.h"
#include "core/present/json/document_reader.h"
#include "core/present/json/json_values.h"
#include "core/present/text/change_text.h"
#include "core/present/text/comparison_text.h"

namespace tcpscope {

namespace {

using json::Json;
using json::JsonWriter;

void headMembers(JsonWriter& out, WallTime time) {
  json::schemaMembers(out, "tcpscope.changes", 1);
  out.member("time", json::timeText(time));
}

void change(JsonWriter& out, const ChangeRecord& record) {
  const Nanoseconds madeAt = std::chrono::seconds(record.madeAtSeconds);
  out.object([&] {
    out.member("id", record.id);
    out.member("state", name(record.state));
    out.member("made_at", json::timeText(WallTime::fromNanoseconds(madeAt.count())));
    out.member("boot_id", record.bootId);
    out.member("network_namespace", record.networkNamespace);
    out.member("persist", record.persist);
    out.array("settings", record.settings, [&](const ChangedSetting& setting) {
      out.object([&] {
        out.member("key", setting.key);
        out.member("original", setting.original);
        out.member("wanted", setting.wanted);
      });
    });
  });
}

void previewRow(JsonWriter& out, const SettingPreview& preview) {
  out.object([&] {
    out.member("key", preview.key);
    out.member("wanted", preview.wanted);
    out.member("now", preview.now);
    out.member("verdict", name(preview.verdict));
    out.member("text", sentence(preview));
    out.array("notes", notes(preview), [&](const std::string& note) { out.value(note); });
  });
}

void restoredRow(JsonWriter& out, const RestoredSetting& restored) {
  out.object([&] {
    out.member("key", restored.key);
    out.member("outcome", name(restored.outcome));
    out.member("now", restored.now);
    out.member("text", sentence(restored));
  });
}

/// The value with this name; `unknown` for a name that this version does not have.
template <class Value, std::size_t count>
Value named(const std::array<Value, count>& values, std::string_view text, Value unknown) {
  const auto found = std::find_if(values.begin(), values.end(), [text](Value value) { return name(value) == text; });
  return found == values.end() ? unknown : *found;
}

SettingPreview readPreview(const Json& row) {
  constexpr std::array kVerdicts = {PreviewVerdict::changes, PreviewVerdict::same, PreviewVerdict::refused,
                                    PreviewVerdict::missing};
  SettingPreview preview{json::plainText(row, "key"), json::plainTextIfAny(row, "now"), json::plainText(row, "wanted")};
  // A verdict of a newer host is no permission to apply.
  preview.verdict = named(kVerdicts, json::plainText(row, "verdict"), PreviewVerdict::refused);
  preview.text = json::plainText(row, "text");
  preview.notes = json::plainTexts(json::arrayIn(row, "notes"));
  return preview;
}

ChangeRecord readChange(const Json& entry) {
  constexpr std::array kStates = {ChangeState::preparing, ChangeState::applied, ChangeState::confirmed,
                                  ChangeState::reverted, ChangeState::gone};
  ChangeRecord record;
  record.id = static_cast<std::uint32_t>(json::number(entry, "id"));
  record.state = named(kStates, json::plainText(entry, "state"), ChangeState::preparing);
  record.bootId = json::plainText(entry, "boot_id");
  record.networkNamespace = json::number(entry, "network_namespace");
  record.persist = json::flag(entry, "persist");
  if (const auto madeAt = json::instant(entry, "made_at")) {
    record.madeAtSeconds = madeAt->nanoseconds() / kNanosecondsPerSecond;
  }
  for (const Json& row : json::arrayIn(entry, "settings")) {
    record.settings.push_back(
        {json::plainText(row, "key"), json::plainText(row, "original"), json::plainText(row, "wanted")});
  }
  return record;
}

RestoredSetting readRestored(const Json& row) {
  constexpr std::array kOutcomes = {RestoreOutcome::restored, RestoreOutcome::wasOriginal, RestoreOutcome::leftAlone,
                                    RestoreOutcome::handedOn, RestoreOutcome::failed};
  RestoredSetting restored;
  restored.key = json::plainText(row, "key");
  restored.outcome = named(kOutcomes, json::plainText(row, "outcome"), RestoreOutcome::failed);
  restored.now = json::plainTextIfAny(row, "now");
  restored.text = json::plainText(row, "text");
  return restored;
}

}  // namespace

std::string toJson(const ChangeReport& report) {
  return json::line([&](JsonWriter& out) {
    headMembers(out, report.time.value_or(WallTime()));
    if (report.content == ChangeReport::Content::preview) {
      out.array("preview", report.previews, [&](const SettingPreview& one) { previewRow(out, one); });
      return;
    }
    out.array("changes", report.changes, [&](const ChangeRecord& one) { change(out, one); });
    if (report.content != ChangeReport::Content::revert) return;
    out.array("restored", report.restored, [&](const RestoredSetting& one) { restoredRow(out, one); });
    out.member("file_left_alone", report.fileLeftAlone);
  });
}

std::optional<ChangeReport> readChangeReport(std::string_view json) {
  const auto document = json::parseDocument(json, "tcpscope.changes");
  if (!document) return std::nullopt;
  ChangeReport report;
  report.time = json::instant(*document, "time");
  if (json::hasArray(*document, "preview")) {
    report.content = ChangeReport::Content::preview;
    for (const Json& row : json::arrayIn(*document, "preview")) report.previews.push_back(readPreview(row));
    return report;
  }
  if (!json::hasArray(*document, "changes")) return std::nullopt;
  for (const Json& entry : json::arrayIn(*document, "changes")) report.changes.push_back(readChange(entry));
  if (!json::hasArray(*document, "restored")) return report;
  report.content = ChangeReport::Content::revert;
  for (const Json& row : json::arrayIn(*document, "restored")) report.restored.push_back(readRestored(row));
  report.fileLeftAlone = json::flag(*document, "file_left_alone");
  return report;
}

std::string toJson(std::uint32_t change, const SampleComparison& comparison, SampleKind kind, WallTime time) {
  return json::line([&](JsonWriter& out) {
    headMembers(out, time);
    out.object("proof", [&] {
      out.member("change", change);
      json::comparisonMembers(out, comparison, kind);
      out.member("text", sentence(comparison, kind));
    });
  });
}

}  // namespace tcpscope
