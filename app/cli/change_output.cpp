#include "app/cli/change_output.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iterator>

#include "app/cli/connection_output.h"
#include "core/base/escape.h"
#include "core/present/text/change_text.h"
#include "core/present/text/comparison_text.h"
#include "core/present/text/host_text.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/tune_text.h"

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
  TextTable table({{"SETTING"}, prose("BEFORE"), prose("NOW")});
  for (const ChangedSetting& setting : record.settings) {
    appendRow(table, {setting.key, setting.original, setting.wanted});
  }
  table.print(out, terminalWidth());
}

}  // namespace

void appendPreview(TextBuffer& out, const std::vector<SettingPreview>& rows, const OtherTuners& tuners) {
  TextTable table({{"SETTING"}, prose("NOW"), prose("WANTED"), prose("WHAT WOULD HAPPEN")});
  for (const SettingPreview& row : rows) {
    // What the user typed may be anything.
    const std::string key = forTerminal(UntrustedText(row.key));
    const std::string wanted = forTerminal(UntrustedText(row.wanted));
    appendRow(table, {key, row.now ? std::string_view(*row.now) : "-", wanted, sentence(row)});
  }
  table.print(out, terminalWidth());
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
  TextTable table({{"SETTING"}, prose("NOW"), prose("WHAT HAPPENED")});
  for (const RestoredSetting& row : reverted.settings) {
    appendRow(table, {row.key, row.now ? std::string_view(*row.now) : "-", sentence(row)});
  }
  table.print(out, terminalWidth());
  write(out, "Change {} is undone.\n", reverted.record.id);
  if (reverted.fileLeftAlone) {
    append(
        out,
        "/etc/sysctl.d/90-tcpscope.conf was changed by another program or cannot be written, and is kept: check what "
        "it sets at boot.\n");
  }
}

void appendChanges(TextBuffer& out, const std::vector<ChangeRecord>& records) {
  if (records.empty()) return append(out, "No change was made.\n");
  TextTable table({{"CHANGE", true}, {"MADE (UTC)"}, {"STATE"}, {"SETTING"}, prose("BEFORE"), prose("CHANGED TO")});
  for (const ChangeRecord& record : records) {
    std::string id = fmt::to_string(record.id);
    std::string made = fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(record.madeAtSeconds)));
    std::string state =
        std::string(title(record.state)) + (record.persist && isOpen(record) ? ", also after a boot" : "");
    for (const ChangedSetting& setting : record.settings) {
      appendRow(table, {id, made, state, setting.key, setting.original, setting.wanted});
      // Once a change.
      id.clear(), made.clear(), state.clear();
    }
  }
  table.print(out, terminalWidth());
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
  table.print(out, terminalWidth());
  append(out, sentence(comparison, kind));
  write(out,
        "\nTo keep the change: tcpscope-cli confirm {}, where it waits for that; to undo it: tcpscope-cli revert {}\n",
        change, change);
}

namespace {

std::string valueOrDash(SocketOption option, const std::optional<OptionValue>& value) {
  return value ? valueText(option, *value) : "-";
}

void addRow(TextTable& table, std::initializer_list<std::string_view> cells) {
  for (const std::string_view cell : cells) {
    append(table.cell(), cell);
    table.endCell();
  }
}

void appendOptions(TextBuffer& out, const TuneReport& report) {
  TextTable table({{"OPTION"}, {"VALUE", true}, prose("SET BY"), {"LIVE"}, prose("WHAT")});
  for (const SocketOptionRow& row : socketOptions()) {
    if (!report.values[row.id]) continue;
    const bool isLive = row.changeable == Changeable::live;
    addRow(table, {row.name, valueText(row.id, *report.values[row.id]), phrase(report.setterOf(row.id)),
                   isLive ? "yes" : "no", explanation(row.id)});
  }
  table.print(out, terminalWidth());
}

/// Options that only a new connection can change.
void appendFixed(TextBuffer& out, const SocketObservation& socket) {
  for (const SocketOptionRow& row : socketOptions()) {
    if (row.changeable != Changeable::live) line(out, "{}: {}", row.name, phrase(row.changeable));
  }
  const auto options = socket.info.options();
  if (!options) return;
  const auto yesOrNo = [](bool is) { return is ? "yes" : "no"; };
  line(
      out,
      "Agreed in the handshake, only a new connection gets others: selective acknowledgments {}, timestamps {}, ECN {}",
      yesOrNo(options->sack()), yesOrNo(options->timestamps()), yesOrNo(options->ecn()));
  const auto window = [](std::optional<Count> scale) {
    return scale ? formatBytes(static_cast<double>(largestWindow(static_cast<unsigned>(scale->value())))) : "-";
  };
  const bool scales = options->windowScale();
  line(out, "Largest windows that the handshake allows: {} to receive, {} to send",
       window(scales ? socket.info.rcvWscale() : Count(0)), window(scales ? socket.info.sndWscale() : Count(0)));
}

void appendTrial(TextBuffer& out, const TuneReport& report, std::string_view command) {
  if (!report.revertsIn) return;
  line(out, "On trial: reverted in {} s. To keep it: {} --confirm",
       std::chrono::ceil<std::chrono::seconds>(*report.revertsIn).count(), command);
}

void appendChanges(TextBuffer& out, const TuneReport& report) {
  TextTable table({{"OPTION"}, {"BEFORE", true}, {"ASKED FOR", true}, {"NOW", true}});
  for (const TunedOption& change : report.changes) {
    addRow(table, {optionRow(change.option).name, valueOrDash(change.option, change.before),
                   valueText(change.option, change.wanted), valueOrDash(change.option, change.after)});
  }
  if (table.rows() > 0) table.print(out, terminalWidth());
  for (const TuneNote& note : report.notes) line(out, "{}", sentence(note, report));
  for (const RecordedOption& entry : report.leftAlone) line(out, "{}", sentence(entry, report.values));
}

}  // namespace

void appendTuned(TextBuffer& out, const SocketObservation& socket, const Owner* owner, const TuneReport& report,
                 std::string_view command, const Style& style) {
  const std::string process =
      owner == nullptr ? std::string() : fmt::format("  {} ({})", forTerminal(owner->processName), owner->pid);
  line(out, "{}{}",
       style.bold(fmt::format("{}  {} → {}", socket.id.toString(), socket.local.toString(), socket.remote.toString())),
       process);
  if (report.action == TuneAction::show) {
    appendOptions(out, report);
    appendFixed(out, socket);
    if (!report.record.options.empty()) {
      line(out, "Changed by tcpscope; back with: {} --undo", command);
    }
    return appendTrial(out, report, command);
  }
  appendChanges(out, report);
  if (report.action == TuneAction::undo) {
    if (report.leftAlone.empty()) line(out, "As it was before tcpscope changed it.");
    return;
  }
  line(out, "Back with: {} --undo", command);
  appendTrial(out, report, command);
}

void appendProof(TextBuffer& out, const ChangeProof& proof, const Style& style) {
  line(out, "{}", style.bold(sentence(proof)));
  if (const std::string text = figures(proof); !text.empty()) line(out, "{}", text);
}

}  // namespace tcpscope
