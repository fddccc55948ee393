#include "core/present/json/change_document.h"

#include <algorithm>
#include <array>

#include "core/present/json/comparison_json.h"
#include "core/present/json/connection_json.h"
#include "core/present/json/document_reader.h"
#include "core/present/text/change_text.h"
#include "core/present/text/comparison_text.h"

namespace tcpscope {

namespace {

using json::Json;

Json document(WallTime time) {
  return {{"schema", "tcpscope.changes"}, {"schema_version", 1}, {"time", json::timeText(time)}};
}

Json change(const ChangeRecord& record) {
  Json settings = Json::array();
  for (const ChangedSetting& setting : record.settings) {
    settings.push_back({{"key", setting.key}, {"original", setting.original}, {"wanted", setting.wanted}});
  }
  return {{"id", record.id},
          {"state", name(record.state)},
          {"made_at",
           json::timeText(WallTime::fromNanoseconds(Nanoseconds(std::chrono::seconds(record.madeAtSeconds)).count()))},
          {"boot_id", record.bootId},
          {"network_namespace", record.networkNamespace},
          {"persist", record.persist},
          {"settings", std::move(settings)}};
}

Json previewRows(const std::vector<SettingPreview>& previews) {
  Json rows = Json::array();
  for (const SettingPreview& preview : previews) {
    Json row = {{"key", preview.key}, {"wanted", preview.wanted}};
    if (preview.now) row["now"] = *preview.now;
    row["verdict"] = name(preview.verdict);
    row["text"] = sentence(preview);
    row["notes"] = notes(preview);
    rows.push_back(std::move(row));
  }
  return rows;
}

Json restoredRows(const std::vector<RestoredSetting>& settings) {
  Json rows = Json::array();
  for (const RestoredSetting& restored : settings) {
    Json row = {{"key", restored.key}, {"outcome", name(restored.outcome)}};
    if (restored.now) row["now"] = *restored.now;
    row["text"] = sentence(restored);
    rows.push_back(std::move(row));
  }
  return rows;
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
  Json result = document(report.time.value_or(WallTime()));
  if (report.content == ChangeReport::Content::preview) {
    result["preview"] = previewRows(report.previews);
    return json::compact(result) + "\n";
  }
  result["changes"] = json::arrayOf(report.changes, change);
  if (report.content == ChangeReport::Content::revert) {
    result["restored"] = restoredRows(report.restored);
    result["file_left_alone"] = report.fileLeftAlone;
  }
  return json::compact(result) + "\n";
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
  Json proof = {{"change", change}};
  proof.update(json::comparison(comparison, kind));
  proof["text"] = sentence(comparison, kind);
  Json result = document(time);
  result["proof"] = std::move(proof);
  return json::compact(result) + "\n";
}

}  // namespace tcpscope
