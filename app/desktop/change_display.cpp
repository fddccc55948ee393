#include "app/desktop/change_display.h"

#include <algorithm>

#include "core/changes/tune_plan.h"
#include "core/present/json/tune_document.h"
#include "core/present/text/change_text.h"
#include "core/present/text/host_text.h"

namespace tcpscope {

namespace {

ChangeDisplay displayOfPreview(const ChangeReport& report) {
  ChangeDisplay display;
  display.canApply = report.canApply();
  for (const SettingPreview& row : report.previews) {
    HostChangeRow shown{row.key, row.now, row.wanted, sentence(row)};
    shown.nowText = row.now.value_or(std::string());
    if (row.setBy) shown.setBy = placeOf(*row.setBy);
    display.rows.push_back(std::move(shown));
    for (std::string& note : notes(row)) display.notes.push_back(std::move(note));
  }
  return display;
}

/// The requested value as it would be reported once it is set, so that it compares with the current one.
void showAsReported(HostChangeRow& row) {
  const auto parsed = parseOptionChange(row.key + "=" + row.wanted);
  if (!parsed) return;
  row.wanted = reportedText(parsed->option, valueToRead(parsed->option, parsed->value));
  if (!isBufferSize(parsed->option)) return;
  if (!row.text.empty()) row.text += "; ";
  row.text += "set to " + reportedText(parsed->option, parsed->value);
}

}  // namespace

ChangeDisplay displayOf(const ChangeReport& report) {
  if (report.content == ChangeReport::Content::preview) return displayOfPreview(report);
  ChangeDisplay display;
  if (report.changes.empty()) return display;
  for (const ChangedSetting& setting : report.changes.front().settings) {
    display.rows.push_back({setting.key, setting.wanted, setting.wanted, "was " + setting.original + " before"});
  }
  for (const RestoredSetting& restored : report.restored) {
    for (HostChangeRow& row : display.rows) {
      if (row.key != restored.key) continue;
      row.now = restored.now;
      row.text = sentence(restored);
    }
  }
  return display;
}

ChangeDisplay displayOfOptions(const ChangeReport& report, const std::vector<SettingChange>& requested) {
  ChangeDisplay display;
  if (requested.empty()) {
    for (const ReportedOption& option : report.options) {
      display.rows.push_back({option.name, option.value, {}, option.text, option.valueText, option.setBy});
    }
    return display;
  }
  for (const SettingChange& change : requested) {
    HostChangeRow row{std::string(change.key), change.now, change.wanted, {}};
    const auto option = std::find_if(report.options.begin(), report.options.end(),
                                     [&](const ReportedOption& one) { return one.name == change.key; });
    if (option != report.options.end()) {
      row.now = option->value;
      row.text = option->text;
      display.canRevert = display.canRevert || option->original.has_value();
    }
    showAsReported(row);
    display.rows.push_back(std::move(row));
  }
  display.canApply = !display.rows.empty();
  return display;
}

ChangeDisplay displayOfOptionChanges(const ChangeReport& report) {
  ChangeDisplay display;
  for (const ReportedOptionChange& change : report.optionChanges) {
    HostChangeRow row{change.name, change.after, change.wanted.value_or(std::string()), {}};
    if (change.before) row.text = "was " + *change.before + " before";
    display.rows.push_back(std::move(row));
  }
  display.notes = report.notes;
  display.notes.insert(display.notes.end(), report.leftAlone.begin(), report.leftAlone.end());
  return display;
}

}  // namespace tcpscope
