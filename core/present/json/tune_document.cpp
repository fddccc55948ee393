#include "core/present/json/tune_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/base/escape.h"
#include "core/present/json/comparison_json.h"
#include "core/present/json/connection_json.h"
#include "core/present/json/document_reader.h"
#include "core/present/text/comparison_text.h"
#include "core/present/text/tune_text.h"

namespace tcpscope {

namespace {

using json::Json;
using json::JsonWriter;

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

void writeValue(JsonWriter& out, const SocketOptionRow& row, const OptionValue& value) {
  if (row.unlimited != 0 && value.number == row.unlimited) return out.value("unlimited");
  if (row.unit == OptionUnit::onOff) return out.value(value.number != 0);
  if (row.unit == OptionUnit::name) return out.value(forPlainText(value.name.text()));
  if (row.unit == OptionUnit::bufferLocks) return out.value(valueText(row.id, value));
  out.value(static_cast<double>(value.number) * keyOf(row.unit).factor);
}

/// "before_bytes": …; nothing where the kernel does not say.
void add(JsonWriter& out, std::string_view what, SocketOption option, const std::optional<OptionValue>& value) {
  if (!value) return;
  const SocketOptionRow& row = optionRow(option);
  out.key(std::string(what) + std::string(keyOf(row.unit).suffix));
  writeValue(out, row, *value);
}

void optionJson(JsonWriter& out, const TuneReport& report, const SocketOptionRow& row) {
  out.object([&] {
    out.member("name", row.name);
    add(out, "value", row.id, report.values[row.id]);
    if (const RecordedOption* recorded = report.record.find(row.id)) add(out, "original", row.id, recorded->before);
    if (const OptionSetter setter = report.setterOf(row.id); setter != OptionSetter::unknown) {
      out.member("set_by", name(setter));
    }
    out.member("changeable", name(row.changeable));
    out.member("text", explanation(row.id));
  });
}

void optionsMember(JsonWriter& out, const TuneReport& report) {
  out.key("options");
  out.beginArray();
  for (const SocketOptionRow& row : socketOptions()) {
    if (report.values[row.id]) optionJson(out, report, row);
  }
  out.endArray();
}

void changeJson(JsonWriter& out, const TunedOption& change) {
  out.object([&] {
    out.member("name", optionRow(change.option).name);
    add(out, "before", change.option, change.before);
    add(out, "wanted", change.option, change.wanted);
    add(out, "after", change.option, change.after);
  });
}

void leftAloneJson(JsonWriter& out, const TuneReport& report, const RecordedOption& entry) {
  out.object([&] {
    out.member("name", optionRow(entry.option).name);
    out.member("text", sentence(entry, report.values));
    add(out, "original", entry.option, entry.before);
    add(out, "value", entry.option, report.values[entry.option]);
  });
}

void noteJson(JsonWriter& out, const TuneReport& report, const TuneNote& note) {
  out.object([&] {
    out.member("name", name(note.kind));
    out.member("option", optionRow(note.option).name);
    out.member("text", sentence(note, report));
  });
}

void proofJson(JsonWriter& out, const ChangeProof& proof) {
  const bool isCompared = proof.state() == ChangeProof::State::compared;
  out.object([&] {
    if (isCompared) json::comparisonMembers(out, proof.comparison(), SampleKind::blocks);
    out.member("compared", isCompared);
    out.member("text", sentence(proof));
  });
}

void connectionJson(JsonWriter& out, const TuneDocument& document) {
  out.object([&] {
    json::socketMembers(out, document.socket);
    if (document.owner != nullptr) out.member("process", [&] { json::process(out, *document.owner); });
    json::negotiatedOptionsMember(out, document.socket);
  });
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

/// The kernel's number again.
std::string valueTextIn(const Json& object, const SocketOptionRow& row, const std::string& written) {
  if (row.unit == OptionUnit::name || row.unit == OptionUnit::bufferLocks || written == "unlimited") return written;
  const auto value = object.find("value" + std::string(keyOf(row.unit).suffix));
  if (value == object.end()) return {};
  double number = -1.0;
  if (value->is_boolean()) number = value->get<bool>() ? 1.0 : 0.0;
  if (value->is_number()) number = value->get<double>();
  constexpr double kBeyond = 9e15;
  const double ofKernel = number / keyOf(row.unit).factor;
  if (!(ofKernel >= 0) || ofKernel > kBeyond) return {};
  return valueText(row.id, OptionValue{static_cast<std::uint64_t>(std::llround(ofKernel)), {}});
}

std::string setterIn(const Json& object) {
  const std::string setter = json::plainText(object, "set_by");
  for (const OptionSetter one : {OptionSetter::automatic, OptionSetter::program, OptionSetter::tcpscope}) {
    if (setter == name(one)) return std::string(phrase(one));
  }
  return {};
}

ReportedOption reportedOption(const Json& object) {
  ReportedOption option{json::plainText(object, "name"), valueIn(object, "value"), valueIn(object, "original"),
                        json::plainText(object, "text")};
  const SocketOptionRow* const row = optionNamed(option.name);
  if (row != nullptr && option.value) option.valueText = valueTextIn(object, *row, *option.value);
  option.setBy = setterIn(object);
  return option;
}

}  // namespace

std::string toJson(const TuneDocument& document) {
  const TuneReport& report = document.report;
  return json::line([&](JsonWriter& out) {
    json::schemaMembers(out, "tcpscope.tune", 1);
    out.member("time", json::timeText(document.time));
    out.member("action", name(report.action));
    out.array("places", std::span(&document.place, 1), [&](const Place& one) { json::place(out, one); });
    out.member("connection", [&] { connectionJson(out, document); });
    optionsMember(out, report);
    out.array("changes", report.changes, [&](const TunedOption& one) { changeJson(out, one); });
    out.array("left_alone", report.leftAlone, [&](const RecordedOption& one) { leftAloneJson(out, report, one); });
    out.array("notes", report.notes, [&](const TuneNote& one) { noteJson(out, report, one); });
    out.member("can_be_undone", !report.record.options.empty());
    if (report.revertsIn) {
      out.member("reverts_in_s", std::chrono::ceil<std::chrono::seconds>(*report.revertsIn).count());
    }
    if (document.proof != nullptr) out.member("proof", [&] { proofJson(out, *document.proof); });
  });
}

std::string reportedText(SocketOption option, const OptionValue& value) {
  const SocketOptionRow& row = optionRow(option);
  if (row.unlimited != 0 && value.number == row.unlimited) return "unlimited";
  if (row.unit == OptionUnit::name) return forPlainText(value.name.text());
  if (row.unit == OptionUnit::bufferLocks) return valueText(option, value);
  return fmt::format("{:.0f}", static_cast<double>(value.number) * keyOf(row.unit).factor);
}

std::optional<ChangeReport> readTuneReport(std::string_view json) {
  const auto document = json::parseDocument(json, "tcpscope.tune");
  if (!document) return std::nullopt;
  ChangeReport report{ChangeReport::Content::options};
  report.time = json::instant(*document, "time");
  for (const Json& option : json::arrayIn(*document, "options")) {
    report.options.push_back(reportedOption(option));
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
