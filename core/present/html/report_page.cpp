#include "core/present/html/report_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/escape.h"
#include "core/present/html/report_appendix.h"
#include "core/present/html/report_sections.h"
#include "core/present/html/report_summary.h"
#include "core/present/svg/time_axis.h"
#include "core/present/text/capture_text.h"
#include "core/present/text/checkup_text.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/report_text.h"
#include "core/present/text/source_text.h"

namespace tcpscope {

namespace {

constexpr std::size_t kMostNamedChecks = 4;

std::string headline(const ReportModel& report) {
  if (report.connections.empty()) return "No connection carried data while it was observed.";
  const ConnectionDetail& first = *report.connections.front().detail;
  std::string verdict = verdictSentence(first);
  if (report.connections.size() == 1) return verdict;
  return fmt::format("Busiest connection, {} – {}: {}", first.socket.local.toString(), first.socket.remote.toString(),
                     verdict);
}

void addRecording(ReportFacts& facts, const ReportModel& report) {
  if (!report.recording) return;
  const RecordingFacts& recording = *report.recording;
  if (!recording.note.empty()) facts.rows.emplace_back("Comment", forPlainText(recording.note));
  facts.rows.emplace_back("Recorded", recordedText(recording));
}

/// What of it got lost; a recording's own damage in words of its own.
std::string incompleteText(const ReportModel& report) {
  if (std::string lost = lossSentences(report.captureGaps); !lost.empty()) return lost;
  if (!report.recording || report.recording->isWhole()) return sentence(report.gaps);
  std::vector<CollectionGap> others = report.gaps;
  std::erase_if(others, [](const CollectionGap& gap) { return gap.kind == GapKind::damagedFrame; });
  const std::string lost = sentence(others);
  return fmt::format("The recording is {}{}{}", damageText(*report.recording), lost.empty() ? "" : "; ", lost);
}

/// In one line; empty where nothing was checked.
std::string checkupText(const ReportModel& report) {
  if (!report.checkup) return {};
  std::string problems;
  std::size_t count = 0;
  std::size_t unknown = 0;
  for (const CheckRow& row : *report.checkup) {
    if (row.status == CheckStatus::unknown) ++unknown;
    if (row.status != CheckStatus::warn && row.status != CheckStatus::fail) continue;
    if (++count <= kMostNamedChecks) problems += fmt::format("{}{}", problems.empty() ? "" : "; ", title(row.id));
  }
  const std::string rest =
      unknown == 0 ? std::string() : fmt::format("; {} check{} no result", unknown, unknown == 1 ? " has" : "s have");
  if (count == 0) return fmt::format("No problems found on this host{}.", rest);
  return fmt::format("{} problem{}: {}{}{}", count, count == 1 ? "" : "s", problems,
                     count > kMostNamedChecks ? "; …" : "", rest);
}

void addOverview(std::vector<ReportBlock>& blocks, const ReportModel& report) {
  ReportVerdict verdict{headline(report), {}};
  if (!report.connections.empty()) {
    verdict.note = confidenceSentence(report.connections.front().detail->diagnosis.verdict);
  }
  blocks.emplace_back(std::move(verdict));
  ReportFacts facts;
  for (const Place& place : report.places) facts.rows.emplace_back("Host", sentence(place, report.places));
  facts.rows.emplace_back("Time", formatWallTime(report.time));
  addRecording(facts, report);
  if (const std::string leftOut = leftOutText(report.activeLeftOut, report.idleLeftOut); !leftOut.empty()) {
    facts.rows.emplace_back("Not included", leftOut);
  }
  if (const std::string lost = incompleteText(report); !lost.empty()) facts.rows.emplace_back("Incomplete", lost);
  if (const std::string host = checkupText(report); !host.empty()) facts.rows.emplace_back("Host check-up", host);
  if (report.isAnonymous) {
    facts.rows.emplace_back(
        "Anonymized",
        "Addresses and names are replaced by placeholders, each by the same one throughout. Loopback addresses, ports, "
        "PIDs, figures and values of settings are unchanged; the recording comment and the hash of the file are left "
        "out");
  }
  blocks.emplace_back(std::move(facts));
  if (report.connections.size() < 2) return;
  ReportTable table{"The connections of this report", {"", "Local", "Remote", "Verdict", "Confidence"}, {}};
  for (std::size_t index = 0; index < report.connections.size(); ++index) {
    const ConnectionDetail& detail = *report.connections[index].detail;
    table.rows.push_back({std::to_string(index + 1), detail.socket.local.toString(), detail.socket.remote.toString(),
                          brief(detail.diagnosis.verdict, detail.diagnosis.bulk),
                          confidenceFigure(detail.diagnosis.verdict)});
  }
  blocks.emplace_back(std::move(table));
}

std::string_view statusText(CheckStatus status) {
  switch (status) {
    case CheckStatus::pass:
      return "passed";
    case CheckStatus::warn:
      return "warning";
    case CheckStatus::fail:
      return "failed";
    case CheckStatus::unknown:
      break;
  }
  return "unknown";
}

void addCheckup(std::vector<ReportBlock>& blocks, const ReportModel& report) {
  blocks.emplace_back(ReportHeading{3, "Host check-up"});
  if (!report.checkup) {
    blocks.emplace_back(ReportParagraph{
        "The host was not checked, because this report was not made on it. Run `tcpscope-cli checkup` there."});
    return;
  }
  ReportTable table{
      "Links, queues, memory and settings, lower layers first", {"Layer", "Status", "Check", "Object", "Result"}, {}};
  ReportFacts advised;
  std::size_t unknown = 0;
  for (const CheckRow& row : *report.checkup) {
    const std::string object = forPlainText(row.object);
    if (row.status == CheckStatus::unknown) {
      ++unknown;
      continue;
    }
    table.rows.push_back({std::string(title(row.layer)), std::string(statusText(row.status)),
                          std::string(title(row.id)), object, finding(row)});
    if (const std::string_view text = advice(row); !text.empty()) {
      advised.rows.emplace_back(fmt::format("{}{}{}", title(row.id), object.empty() ? "" : " of ", object), text);
    }
  }
  if (advised.rows.empty()) {
    blocks.emplace_back(ReportParagraph{"No problems found on this host."});
  } else {
    blocks.emplace_back(std::move(advised));
  }
  if (!table.rows.empty()) blocks.emplace_back(std::move(table));
  for (const CheckRow& row : *report.checkup) {
    if (row.hops.empty()) continue;
    std::vector<std::string> hops = linesIn(hopList(row));
    hops.erase(hops.begin());
    blocks.emplace_back(ReportLines{"Hops to " + forPlainText(row.object), std::move(hops)});
  }
  if (unknown > 0) {
    blocks.emplace_back(
        ReportParagraph{fmt::format("{} more checks have no result, for lack of permission or because the host does "
                                    "not report the figures; `tcpscope-cli checkup` lists them.",
                                    unknown)});
  }
}

void addListeners(std::vector<ReportBlock>& blocks, const ReportModel& report) {
  if (report.listeners.empty()) return;
  blocks.emplace_back(ReportHeading{3, "Listeners"});
  ReportFacts facts;
  for (const ListenerRow& listener : report.listeners) {
    for (const Finding& found : listener.findings) {
      facts.rows.emplace_back(listener.local.toString(), sentence(found, Side::receiving));
    }
  }
  blocks.emplace_back(std::move(facts));
}

/// Of one of several connections; the first one's verdict is that of the report.
void addTitle(std::vector<ReportBlock>& blocks, const ReportModel& report, std::size_t index) {
  const ConnectionDetail& detail = *report.connections[index].detail;
  blocks.emplace_back(ReportHeading{
      2, fmt::format("{}. {} – {}", index + 1, detail.socket.local.toString(), detail.socket.remote.toString())});
  if (index == 0) return;
  blocks.emplace_back(ReportVerdict{verdictSentence(detail), confidenceSentence(detail.diagnosis.verdict)});
}

/// The bars that have a value.
ReportTable intervalTable(const TimePlot& plot) {
  ReportTable table{plot.title, {"Interval from"}, {}};
  for (const PlotTrace& trace : plot.traces) table.columns.push_back(trace.label);
  for (const PlotPoint& bar : plot.traces.front().points) {
    if (bar.value <= 0.0) continue;
    std::vector<std::string> cells = {positionText(plot, bar.seconds)};
    for (const PlotTrace& trace : plot.traces) {
      // An edge has the value before it, too.
      const auto value = valueAt(trace, bar.seconds);
      cells.push_back(value ? formatQuantity(plot.quantity, *value) : std::string("–"));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

std::string eventsWithin(const PlotTrace& trace, double from, double to) {
  double count = 0.0;
  const bool isCounted = !trace.counts.empty();
  for (const PlotPoint& point : isCounted ? trace.counts : trace.points) {
    if (point.seconds >= from && point.seconds < to) count += isCounted ? point.value : 1.0;
  }
  return fmt::format("{:.0f}", count);
}

/// Rows are spans rather than moments.
bool hasSpans(const TimePlot& plot) {
  return plot.isStrip() || std::any_of(plot.traces.begin(), plot.traces.end(),
                                       [](const PlotTrace& trace) { return !trace.totals.empty(); });
}

}  // namespace

ReportFacts coverOf(const ReportModel& report) {
  const ReportCover& cover = report.cover;
  ReportFacts facts;
  const auto add = [&facts](std::string name, const UntrustedText& text) {
    if (!text.empty()) facts.rows.emplace_back(std::move(name), forPlainText(text));
  };
  add("Customer", cover.customer);
  add("Author", cover.author);
  add("Ticket", cover.ticket);
  if (!cover.file) return facts;
  const std::string name = forPlainText(cover.file->name);
  facts.rows.emplace_back("File", fmt::format("{}{}{}", name, name.empty() ? "" : ", ",
                                              formatBytes(static_cast<double>(cover.file->bytes))));
  if (!cover.file->sha256.empty()) facts.rows.emplace_back("SHA-256", cover.file->sha256);
  return facts;
}

std::string originOf(const ReportModel& report) {
  return fmt::format("tcpscope {}{}", report.programVersion,
                     report.madeAt ? ", " + formatWallTime(*report.madeAt) : "");
}

ReportPage pageOf(const ReportModel& report, ReportExtent extent) {
  ReportPage page;
  const std::size_t count = report.connections.size();
  page.title = count == 1
                   ? fmt::format("TCP report: {} – {}", report.connections.front().detail->socket.local.toString(),
                                 report.connections.front().detail->socket.remote.toString())
                   : "TCP report";
  page.origin = originOf(report);
  page.cover = coverOf(report);
  page.logo = report.cover.logo;
  addOverview(page.blocks, report);
  for (std::size_t index = 0; index < count; ++index) {
    if (index > 0) page.blocks.emplace_back(ReportPageBreak{});
    if (count > 1) addTitle(page.blocks, report, index);
    addSummary(page.blocks, report, index);
  }
  page.summaries = std::max<std::size_t>(count, 1);
  if (extent == ReportExtent::brief) return page;
  page.blocks.emplace_back(ReportPageBreak{});
  page.blocks.emplace_back(ReportHeading{2, "Appendix"});
  for (std::size_t index = 0; index < count; ++index) {
    addDetails(page.blocks, report.connections[index], report.clock, index, count);
  }
  addCheckup(page.blocks, report);
  addListeners(page.blocks, report);
  addAppendix(page.blocks, report.gaps, report.captureGaps, report.places, report.connections);
  return page;
}

ReportTable tableOf(const TimePlot& plot) {
  constexpr std::size_t kRows = 11;
  if (plot.firstDecade) return intervalTable(plot);
  ReportTable table{plot.title, {"Time"}, {}};
  std::vector<Limit> limits;
  const LimitShares whole = sharesOf(plot);
  for (const Limit limit : kLimits) {
    if (plot.isStrip() && whole.ratio(limit) > 0.0) limits.push_back(limit);
  }
  for (const Limit limit : limits) table.columns.emplace_back(shortName(limit));
  for (const PlotTrace& trace : plot.traces) table.columns.push_back(trace.label);
  const bool isOfSpans = hasSpans(plot);
  const std::size_t rows = isOfSpans ? kRows - 1 : kRows;
  for (std::size_t row = 0; row < rows; ++row) {
    const double from = plot.seconds * static_cast<double>(row) / static_cast<double>(kRows - 1);
    const double to = plot.seconds * static_cast<double>(row + 1) / static_cast<double>(kRows - 1);
    std::vector<std::string> cells = {isOfSpans ? fmt::format("{} – {}", formatTime(from), formatTime(to))
                                                : formatTime(from)};
    LimitShares sum;
    for (const LimitSlice& slice : plot.limits) {
      if (slice.fromSeconds >= from && slice.fromSeconds < to) sum += slice.shares;
    }
    for (const Limit limit : limits) {
      cells.push_back(sum.observed() > Nanoseconds(0) ? formatRatio(sum.ratio(limit)) : std::string("–"));
    }
    for (const PlotTrace& trace : plot.traces) {
      if (trace.style == PlotTraceStyle::points) {
        // The last span includes its end.
        const bool isLast = row + 1 == rows;
        cells.push_back(eventsWithin(trace, from, isLast ? std::numeric_limits<double>::infinity() : to));
        continue;
      }
      const bool isOver = trace.endSeconds && from > *trace.endSeconds;
      auto value = trace.totals.empty() ? valueAt(trace, from) : meanWithin(trace, from, to);
      if (isOver) value.reset();
      cells.push_back(value ? formatQuantity(plot.quantity, *value) : std::string("–"));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

}  // namespace tcpscope
