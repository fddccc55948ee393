#include "app/cli/change_output.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iterator>

#include "core/base/escape.h"
#include "core/present/text/change_text.h"
#include "core/present/text/sample_comparison_text.h"
#include "core/present/text/sentences.h"
#include "core/present/text/sysctl_source_text.h"

namespace tcpscope {

namespace {

template <class... Arguments>
void write(TextBuffer& out, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
}

void appendRow(TextTable& table, std::initializer_list<std::string_view> cells) {
  for (const std::string_view cell : cells) {
    append(table.cell(), cell);
    table.endCell();
  }
}

void appendSettings(TextBuffer& out, const ChangeRecord& record) {
  TextTable table({{"SETTING"}, {"BEFORE"}, {"NOW"}});
  for (const ChangedSetting& setting : record.settings) {
    appendRow(table, {setting.key, setting.original, setting.wanted});
  }
  table.print(out);
}

}  // namespace

void appendPreview(TextBuffer& out, const std::vector<SettingPreview>& rows, const OtherTuners& tuners) {
  TextTable table({{"SETTING"}, {"NOW"}, {"WANTED"}, {"WHAT WOULD HAPPEN"}});
  for (const SettingPreview& row : rows) {
    // What the user typed may be anything.
    const std::string key = forTerminal(UntrustedText(row.key));
    const std::string wanted = forTerminal(UntrustedText(row.wanted));
    appendRow(table, {key, row.now ? std::string_view(*row.now) : "-", wanted, sentence(row)});
  }
  table.print(out);
  for (const SettingPreview& row : rows) {
    for (const std::string& note : notes(row)) write(out, "{}: {}\n", forTerminal(UntrustedText(row.key)), note);
  }
  for (const FoundTuner& tuner : tuners.found) write(out, "{}\n", sentence(tuner));
}

void appendApplied(TextBuffer& out, const ChangeRecord& record, const std::optional<double>& revertAfterSeconds) {
  appendSettings(out, record);
  if (revertAfterSeconds) {
    write(out, "Change {} is undone in {:g} s. To keep it: tcpscope-cli confirm {}\n", record.id, *revertAfterSeconds,
          record.id);
  } else {
    write(out, "Change {} is in force{}. To undo it: tcpscope-cli revert {}\n", record.id,
          record.persist ? ", also after the next boot" : " until the next boot", record.id);
  }
}

void appendConfirmed(TextBuffer& out, const ChangeRecord& record) {
  write(out, "Change {} stays{}. To undo it: tcpscope-cli revert {}\n", record.id,
        record.persist ? ", also after the next boot" : " until the next boot", record.id);
}

void appendReverted(TextBuffer& out, const RevertedChange& reverted) {
  TextTable table({{"SETTING"}, {"NOW"}, {"WHAT HAPPENED"}});
  for (const RestoredSetting& row : reverted.settings) {
    appendRow(table, {row.key, row.now ? std::string_view(*row.now) : "-", sentence(row)});
  }
  table.print(out);
  write(out, "Change {} is undone.\n", reverted.record.id);
  if (reverted.fileLeftAlone) {
    append(out,
           "/etc/sysctl.d/90-tcpscope.conf was changed outside tcpscope and is kept: check what it sets at boot.\n");
  }
}

void appendChanges(TextBuffer& out, const std::vector<ChangeRecord>& records) {
  if (records.empty()) return append(out, "No change was made.\n");
  TextTable table({{"CHANGE", true}, {"MADE (UTC)"}, {"STATE"}, {"SETTING"}, {"BEFORE"}, {"CHANGED TO"}});
  for (const ChangeRecord& record : records) {
    std::string id = fmt::to_string(record.id);
    std::string made = fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(record.madeAtSeconds)));
    std::string state = std::string(title(record.state)) + (record.persist ? ", also after a boot" : "");
    for (const ChangedSetting& setting : record.settings) {
      appendRow(table, {id, made, state, setting.key, setting.original, setting.wanted});
      // Once a change.
      id.clear(), made.clear(), state.clear();
    }
  }
  table.print(out);
}

void appendComparison(TextBuffer& out, std::uint32_t change, const SampleComparison& comparison, SampleKind kind) {
  const bool isDuration = kind == SampleKind::runs;
  TextTable table({{"", false},
                   {isDuration ? "RUNS" : "TRANSFERS", true},
                   {"MEAN", true},
                   {"95 % OF THE MEAN", true},
                   {"MEDIAN", true},
                   {"SD", true}});
  const auto format = [&](double value) { return isDuration ? formatTime(value) : formatRate(BitsPerSecond(value)); };
  const auto add = [&](std::string_view side, const SampleSummary& summary) {
    const Interval mean = summary.meanInterval95.value_or(Interval{summary.mean, summary.mean});
    appendRow(table, {side, fmt::to_string(summary.count), format(summary.mean),
                      fmt::format("{} to {}", format(std::max(mean.low, 0.0)), format(mean.high)),
                      format(summary.median), format(summary.standardDeviation.value_or(0.0))});
  };
  add("before", comparison.before);
  add("with it", comparison.after);
  table.print(out);
  append(out, sentence(comparison, kind));
  write(out,
        "\nTo keep the change: tcpscope-cli confirm {}, where it waits for that; to undo it: tcpscope-cli revert {}\n",
        change, change);
}

}  // namespace tcpscope
