#include "core/present/json/change_document.h"

#include "core/present/json/comparison_json.h"
#include "core/present/text/change_text.h"
#include "core/present/text/sample_comparison_text.h"

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

}  // namespace

std::string toJson(const std::vector<SettingPreview>& previews, WallTime time) {
  Json rows = Json::array();
  for (const SettingPreview& preview : previews) {
    Json row = {{"key", preview.key}, {"wanted", preview.wanted}};
    if (preview.now) row["now"] = *preview.now;
    row["verdict"] = name(preview.verdict);
    row["text"] = sentence(preview);
    row["notes"] = notes(preview);
    rows.push_back(std::move(row));
  }
  Json result = document(time);
  result["preview"] = std::move(rows);
  return json::compact(result) + "\n";
}

std::string toJson(const std::vector<ChangeRecord>& changes, WallTime time) {
  Json rows = Json::array();
  for (const ChangeRecord& record : changes) rows.push_back(change(record));
  Json result = document(time);
  result["changes"] = std::move(rows);
  return json::compact(result) + "\n";
}

std::string toJson(const RevertedChange& reverted, WallTime time) {
  Json rows = Json::array();
  for (const RestoredSetting& restored : reverted.settings) {
    Json row = {{"key", restored.key}, {"outcome", name(restored.outcome)}};
    if (restored.now) row["now"] = *restored.now;
    row["text"] = sentence(restored);
    rows.push_back(std::move(row));
  }
  Json result = document(time);
  result["changes"] = Json::array({change(reverted.record)});
  result["restored"] = std::move(rows);
  result["file_left_alone"] = reverted.fileLeftAlone;
  return json::compact(result) + "\n";
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
