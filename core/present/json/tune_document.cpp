#include "core/present/json/tune_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/escape.h"
#include "core/present/json/comparison_json.h"
#include "core/present/json/connection_json.h"
#include "core/present/json/document_reader.h"
#include "core/present/text/comparison_text.h"
#include "core/present/text/tune_text.h"

namespace tcpscope {

namespace {

using json::Json;

struct UnitKey {
  std::string_view suffix;
  /// Of the kernel's unit.
  double factor = 1.0;
};

UnitKey keyOf(OptionUnit unit) {
  switch (unit) {
    case OptionUnit::bytes:
      return {"_bytes"};
    case OptionUnit::bytesPerSecond:
      return {"_bps", 8.0};
    case OptionUnit::microseconds:
      return {"_us"};
    case OptionUnit::milliseconds:
      return {"_us", 1e3};
    case OptionUnit::seconds:
      return {"_s"};
    case OptionUnit::number:
    case OptionUnit::onOff:
    case OptionUnit::bufferLocks:
    case OptionUnit::name:
      break;
  }
  return {};
}

Json valueJson(const SocketOptionRow& row, const OptionValue& value) {
  if (row.unlimited != 0 && value.number == row.unlimited) return "unlimited";
  if (row.unit == OptionUnit::onOff) return value.number != 0;
  if (row.unit == OptionUnit::name) return forPlainText(value.name.text());
  if (row.unit == OptionUnit::bufferLocks) return valueText(row.id, value);
  return json::figure(static_cast<double>(value.number) * keyOf(row.unit).factor);
}

/// "before_bytes": …; nothing where the kernel does not say.
void add(Json& object, std::string_view what, SocketOption option, const std::optional<OptionValue>& value) {
  if (!value) return;
  const SocketOptionRow& row = optionRow(option);
  object[std::string(what) + std::string(keyOf(row.unit).suffix)] = valueJson(row, *value);
}

Json optionJson(const TuneReport& report, const SocketOptionRow& row) {
  Json object = {{"name", row.name}};
  add(object, "value", row.id, report.values[row.id]);
  if (const RecordedOption* recorded = report.record.find(row.id)) add(object, "original", row.id, recorded->before);
  if (const OptionSetter setter = report.setterOf(row.id); setter != OptionSetter::unknown) {
    object["set_by"] = name(setter);
  }
  object["changeable"] = name(row.changeable);
  object["text"] = explanation(row.id);
  return object;
}

Json changeJson(const TunedOption& change) {
  Json object = {{"name", optionRow(change.option).name}};
  add(object, "before", change.option, change.before);
  add(object, "wanted", change.option, change.wanted);
  add(object, "after", change.option, change.after);
  return object;
}

Json proofJson(const ChangeProof& proof) {
  Json object = proof.state() == ChangeProof::State::compared ? json::comparison(proof.comparison(), SampleKind::blocks)
                                                              : Json::object();
  object["compared"] = proof.state() == ChangeProof::State::compared;
  object["text"] = sentence(proof);
  return object;
}

Json connectionJson(const TuneDocument& document) {
  const SocketObservation& socket = document.socket;
  Json object = {{"id", socket.id.toString()},
                 {"place", json::placeText(socket.id.place)},
                 {"local", socket.local.toString()},
                 {"remote", socket.remote.toString()},
                 {"state", name(socket.state)}};
  if (document.owner != nullptr) object["process"] = json::process(*document.owner);
  if (auto negotiated = json::negotiatedOptions(socket)) object["options"] = std::move(*negotiated);
  return object;
}

/// The value of "before_bytes", "before_bps" and the like, whatever its unit.
std::optional<std::string> valueIn(const Json& object, const std::string& what) {
  if (!object.is_object()) return std::nullopt;
  for (const auto& [key, value] : object.items()) {
    if (key != what && key.rfind(what + "_", 0) != 0) continue;
    if (value.is_number()) return fmt::format("{:.0f}", value.get<double>());
    if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
    return json::plainText(object, key);
  }
  return std::nullopt;
}

}  // namespace

std::string toJson(const TuneDocument& document) {
  const TuneReport& report = document.report;
  Json options = Json::array();
  for (const SocketOptionRow& row : socketOptions()) {
    if (report.values[row.id]) options.push_back(optionJson(report, row));
  }
  const auto leftAlone = [&](const RecordedOption& entry) {
    Json object = {{"name", optionRow(entry.option).name}, {"text", sentence(entry, report.values)}};
    add(object, "original", entry.option, entry.before);
    add(object, "value", entry.option, report.values[entry.option]);
    return object;
  };
  const auto note = [&](const TuneNote& one) {
    return Json{{"name", name(one.kind)}, {"option", optionRow(one.option).name}, {"text", sentence(one, report)}};
  };
  Json object = {{"schema", "tcpscope.tune"},
                 {"schema_version", 1},
                 {"time", json::timeText(document.time)},
                 {"action", name(report.action)},
                 {"places", Json::array({json::place(document.place)})},
                 {"connection", connectionJson(document)},
                 {"options", std::move(options)},
                 {"changes", json::arrayOf(report.changes, changeJson)},
                 {"left_alone", json::arrayOf(report.leftAlone, leftAlone)},
                 {"notes", json::arrayOf(report.notes, note)},
                 {"can_be_undone", !report.record.options.empty()}};
  if (report.revertsIn) {
    object["reverts_in_s"] = std::chrono::ceil<std::chrono::seconds>(*report.revertsIn).count();
  }
  if (document.proof != nullptr) object["proof"] = proofJson(*document.proof);
  return json::compact(object) + "\n";
}

std::optional<ChangeReport> readTuneReport(std::string_view json) {
  const auto document = json::parseDocument(json, "tcpscope.tune");
  if (!document) return std::nullopt;
  ChangeReport report{ChangeReport::Content::options};
  report.time = json::instant(*document, "time");
  for (const Json& option : json::arrayIn(*document, "options")) {
    report.options.push_back({json::plainText(option, "name"), valueIn(option, "value"), valueIn(option, "original"),
                              json::plainText(option, "text")});
  }
  for (const Json& change : json::arrayIn(*document, "changes")) {
    report.optionChanges.push_back({json::plainText(change, "name"), valueIn(change, "before"),
                                    valueIn(change, "wanted"), valueIn(change, "after")});
  }
  if (document->contains("reverts_in_s")) {
    constexpr std::uint64_t kLongestTrialSeconds = 86'400;
    const std::uint64_t left = std::min(json::number(*document, "reverts_in_s"), kLongestTrialSeconds);
    report.revertsIn = std::chrono::seconds(static_cast<std::int64_t>(left));
  }
  report.notes = json::plainTexts(json::arrayIn(*document, "notes"));
  report.leftAlone = json::plainTexts(json::arrayIn(*document, "left_alone"));
  return report;
}

}  // namespace tcpscope
