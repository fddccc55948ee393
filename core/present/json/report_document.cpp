#include "core/present/json/report_document.h"

#include <algorithm>
#include <cmath>

#include "core/base/escape.h"
#include "core/present/json/capture_document.h"
#include "core/present/json/check_json.h"
#include "core/present/json/comparison_json.h"
#include "core/present/json/connection_json.h"
#include "core/present/report/report_plots.h"
#include "core/present/text/comparison_text.h"
#include "core/present/text/flow_text.h"
#include "core/present/text/report_text.h"
#include "core/session/history_events.h"

namespace tcpscope {

namespace {

using json::JsonWriter;

std::string_view unitEnding(PlotQuantity quantity) {
  switch (quantity) {
    case PlotQuantity::rate:
      return "bps";
    case PlotQuantity::size:
      return "bytes";
    case PlotQuantity::duration:
      return "s";
    case PlotQuantity::share:
      break;
  }
  return "ratio";
}

/// Six digits after the point are a microsecond.
double rounded(double seconds) {
  return std::round(seconds * 1e6) / 1e6;
}

void traceJson(JsonWriter& out, const PlotTrace& trace) {
  out.object([&] {
    out.member("label", trace.label);
    out.array("time_s", trace.points, [&](const PlotPoint& point) { out.value(rounded(point.seconds)); });
    out.array("values", trace.points, [&](const PlotPoint& point) { out.value(point.value); });
  });
}

void plotJson(JsonWriter& out, const TimePlot& plot) {
  out.object([&] {
    out.member("title", plot.title);
    out.member("text", plot.sentence);
    out.member("unit", unitEnding(plot.quantity));
    // Marks on a curve are no figures of their own: `events` counts them.
    std::vector<PlotTrace> lines = plot.traces;
    std::erase_if(lines, [](const PlotTrace& trace) { return trace.style != PlotTraceStyle::line; });
    out.array("series", lines, [&](const PlotTrace& trace) { traceJson(out, trace); });
    if (!plot.isStrip() && plot.limits.empty()) return;
    out.array("limits", plot.limits, [&](const LimitSlice& slice) {
      out.object([&] {
        json::limitsMembers(out, slice.shares);
        out.member("time_s", rounded(slice.fromSeconds));
      });
    });
  });
}

void measuredChangeJson(JsonWriter& out, const MeasuredChange& change, const ClockPair& clock) {
  out.object([&] {
    out.member("time", json::timeText(clock.wallAt(change.mark.time)));
    out.member("key", forPlainText(change.mark.key));
    if (!change.mark.before.empty()) out.member("before", forPlainText(change.mark.before));
    if (!change.mark.after.empty()) out.member("after", forPlainText(change.mark.after));
    if (!change.comparison) return;
    out.object("goodput", [&] { json::comparisonMembers(out, *change.comparison, SampleKind::blocks); });
    out.member("text", sentence(*change.comparison, SampleKind::blocks));
  });
}

void connectionJson(JsonWriter& out, const ReportedConnection& connection, const ClockPair& clock) {
  const ConnectionDetail& detail = *connection.detail;
  out.object([&] {
    json::connectionMembers(out, detail, &connection.advice);
    out.array("over_time", plotsOf(detail), [&](const TimePlot& plot) { plotJson(out, plot); });
    out.array("changes", connection.changes,
              [&](const MeasuredChange& change) { measuredChangeJson(out, change, clock); });
    out.object("events", [&] {
      for (const auto& [kind, times] : timesByKind(detail.events)) out.member(name(kind), times);
    });
  });
}

void settingsMember(JsonWriter& out, const std::vector<Place>& places) {
  const bool areKnown =
      std::any_of(places.begin(), places.end(), [](const Place& one) { return !settingRows(one).empty(); });
  if (!areKnown) return;
  out.key("settings");
  out.beginArray();
  for (const Place& place : places) {
    for (const auto& [key, value] : settingRows(place)) {
      out.object([&, &key = key, &value = value] {
        out.member("place", json::placeText(place.id));
        out.member("key", key);
        out.member("value", value);
      });
    }
  }
  out.endArray();
}

void recordingJson(JsonWriter& out, const RecordingFacts& recording) {
  out.object([&] {
    out.member("begun", json::timeText(recording.begun));
    out.member("length_s", rounded(toSeconds(recording.length)));
    out.member("cut", recording.isCut);
    out.member("damaged_pieces", recording.damagedPieces);
    if (!recording.program.empty()) out.member("program", forPlainText(recording.program));
  });
}

/// Those that the author gave.
void coverMembers(JsonWriter& out, const ReportCover& cover) {
  if (!cover.customer.empty()) out.member("customer", forPlainText(cover.customer));
  if (!cover.author.empty()) out.member("author", forPlainText(cover.author));
  if (!cover.ticket.empty()) out.member("ticket", forPlainText(cover.ticket));
  if (!cover.file) return;
  out.object("file", [&] {
    if (!cover.file->name.empty()) out.member("name", forPlainText(cover.file->name));
    out.member("size_bytes", cover.file->bytes);
    if (!cover.file->sha256.empty()) out.member("sha256", cover.file->sha256);
  });
}

void captureGapsMember(JsonWriter& out, const std::vector<CaptureGap>& gaps) {
  if (gaps.empty()) return;
  out.array("capture_gaps", gaps,
            [&](const CaptureGap& gap) { out.object([&] { json::captureGapMembers(out, gap); }); });
}

void reportMembers(JsonWriter& out, const ReportModel& report) {
  json::schemaMembers(out, "tcpscope.report", 1);
  out.member("time", json::timeText(report.time));
  out.member("program_version", report.programVersion);
  out.member("anonymous", report.isAnonymous);
  out.array("places", report.places, [&](const Place& one) { json::place(out, one); });
  out.array("gaps", report.gaps, [&](const CollectionGap& one) { json::gap(out, one); });
  captureGapsMember(out, report.captureGaps);
  out.array("connections", report.connections,
            [&](const ReportedConnection& one) { connectionJson(out, one, report.clock); });
  out.object("left_out", [&] {
    out.member("active", report.activeLeftOut);
    out.member("idle", report.idleLeftOut);
  });
  coverMembers(out, report.cover);
  if (report.madeAt) out.member("made_at", json::timeText(*report.madeAt));
  if (report.recording) {
    if (!report.recording->note.empty()) out.member("note", forPlainText(report.recording->note));
    out.member("recording", [&] { recordingJson(out, *report.recording); });
  }
  settingsMember(out, report.places);
  if (!report.checkup) return;
  out.object("checkup", [&] {
    out.member("status", name(worstOf(*report.checkup)));
    out.array("checks", *report.checkup, [&](const CheckRow& row) { json::check(out, row); });
  });
}

void settingJson(JsonWriter& out, const PairedSetting& setting) {
  out.object([&] {
    out.member("key", forPlainText(UntrustedText(setting.key)));
    if (setting.first) out.member("first", forPlainText(UntrustedText(*setting.first)));
    if (setting.second) out.member("second", forPlainText(UntrustedText(*setting.second)));
  });
}

}  // namespace

std::string toJson(const ReportModel& report) {
  return json::line([&](JsonWriter& out) { reportMembers(out, report); });
}

std::string toJson(const ReportPair& pair) {
  return json::line([&](JsonWriter& out) {
    json::schemaMembers(out, "tcpscope.comparison", 1);
    out.object("first", [&] { reportMembers(out, pair.first); });
    out.object("second", [&] { reportMembers(out, pair.second); });
    out.member("same_verdict", pair.isSameVerdict());
    if (pair.goodput) {
      out.object("goodput", [&] { json::comparisonMembers(out, *pair.goodput, SampleKind::blocks); });
      out.member("text", sentence(*pair.goodput, SampleKind::blocks, kSecondAgainstFirst));
    }
    if (!knowsSettings(pair)) return;
    out.array("settings", differentSettings(pair), [&](const PairedSetting& one) { settingJson(out, one); });
  });
}

}  // namespace tcpscope
