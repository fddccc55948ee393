#include "app/cli/tune_output.h"

#include "app/cli/side_output.h"
#include "core/base/escape.h"
#include "core/present/text/change_proof_text.h"
#include "core/present/text/sentences.h"
#include "core/present/text/tune_text.h"

namespace tcpscope {

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
  TextTable table({{"OPTION"}, {"VALUE", true}, {"SET BY"}, {"LIVE"}, {"WHAT"}});
  for (const SocketOptionRow& row : socketOptions()) {
    if (!report.values[row.id]) continue;
    const bool isLive = row.changeable == Changeable::live;
    addRow(table, {row.name, valueText(row.id, *report.values[row.id]), phrase(report.setterOf(row.id)),
                   isLive ? "yes" : "no", explanation(row.id)});
  }
  table.print(out);
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

void appendChanges(TextBuffer& out, const TuneReport& report) {
  TextTable table({{"OPTION"}, {"BEFORE", true}, {"ASKED FOR", true}, {"NOW", true}});
  for (const TunedOption& change : report.changes) {
    addRow(table, {optionRow(change.option).name, valueOrDash(change.option, change.before),
                   valueText(change.option, change.wanted), valueOrDash(change.option, change.after)});
  }
  if (table.rows() > 0) table.print(out);
  for (const TuneNote& note : report.notes) line(out, "{}", sentence(note, report));
  for (const RecordedOption& entry : report.leftAlone) line(out, "{}", sentence(entry, report.values));
}

}  // namespace

void appendTuned(TextBuffer& out, const SocketObservation& socket, const Owner* owner, const TuneReport& report,
                 const Style& style) {
  const std::string process =
      owner == nullptr ? std::string() : fmt::format("  {} ({})", forTerminal(owner->processName), owner->pid);
  line(out, "{}{}",
       style.bold(fmt::format("{}  {} → {}", socket.id.toString(), socket.local.toString(), socket.remote.toString())),
       process);
  if (report.action == TuneAction::show) {
    appendOptions(out, report);
    appendFixed(out, socket);
    if (!report.record.options.empty()) {
      line(out, "Changed by tcpscope; back with: tcpscope-cli tune {} --undo", socket.id.toString());
    }
    return;
  }
  appendChanges(out, report);
  if (report.action == TuneAction::undo) {
    if (report.leftAlone.empty()) line(out, "As it was before tcpscope changed it.");
    return;
  }
  line(out, "Back with: tcpscope-cli tune {} --undo", socket.id.toString());
}

void appendProof(TextBuffer& out, const ChangeProof& proof, const Style& style) {
  line(out, "{}", style.bold(sentence(proof)));
  if (const std::string text = figures(proof); !text.empty()) line(out, "{}", text);
}

}  // namespace tcpscope
