#include "core/present/json/report_document.h"

#include <cmath>

#include "core/base/escape.h"
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

using json::Json;

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

Json plotJson(const TimePlot& plot) {
  Json object = {{"title", plot.title}, {"text", plot.sentence}, {"unit", unitEnding(plot.quantity)}};
  object["series"] = Json::array();
  for (const PlotTrace& trace : plot.traces) {
    Json times = Json::array();
    Json values = Json::array();
    for (const PlotPoint& point : trace.points) {
      times.push_back(rounded(point.seconds));
      values.push_back(json::figure(point.value));
    }
    object["series"].push_back({{"label", trace.label}, {"time_s", std::move(times)}, {"values", std::move(values)}});
  }
  if (plot.isStrip()) object["limits"] = Json::array();
  for (const LimitSlice& slice : plot.limits) {
    Json limits = json::limits(slice.shares);
    limits["time_s"] = rounded(slice.fromSeconds);
    object["limits"].push_back(std::move(limits));
  }
  return object;
}

Json measuredChangeJson(const MeasuredChange& change, const ClockPair& clock) {
  Json object = {{"time", json::timeText(clock.wallAt(change.mark.time))}, {"key", forPlainText(change.mark.key)}};
  if (!change.mark.before.empty()) object["before"] = forPlainText(change.mark.before);
  if (!change.mark.after.empty()) object["after"] = forPlainText(change.mark.after);
  if (change.comparison) {
    object["goodput"] = json::comparison(*change.comparison, SampleKind::blocks);
    object["text"] = sentence(*change.comparison, SampleKind::blocks);
  }
  return object;
}

Json connectionJson(const ReportedConnection& connection, const ClockPair& clock) {
  const ConnectionDetail& detail = *connection.detail;
  Json object = json::connection(detail, &connection.advice);
  object["over_time"] = json::arrayOf(plotsOf(detail), plotJson);
  object["changes"] = Json::array();
  for (const MeasuredChange& change : connection.changes)
    object["changes"].push_back(measuredChangeJson(change, clock));
  object["events"] = Json::object();
  for (const auto& [kind, times] : timesByKind(detail.events)) object["events"][std::string(name(kind))] = times;
  return object;
}

Json settingsJson(const std::vector<Place>& places) {
  Json settings = Json::array();
  for (const Place& place : places) {
    for (const auto& [key, value] : settingRows(place)) {
      settings.push_back({{"place", json::placeText(place.id)}, {"key", key}, {"value", value}});
    }
  }
  return settings;
}

Json recordingJson(const RecordingFacts& recording) {
  Json object = {{"begun", json::timeText(recording.begun)},
                 {"length_s", rounded(toSeconds(recording.length))},
                 {"cut", recording.isCut},
                 {"damaged_pieces", recording.damagedPieces}};
  if (!recording.program.empty()) object["program"] = forPlainText(recording.program);
  return object;
}

Json reportJson(const ReportModel& report) {
  Json document = {{"schema", "tcpscope.report"},
                   {"schema_version", 1},
                   {"time", json::timeText(report.time)},
                   {"program_version", report.programVersion},
                   {"anonymous", report.isAnonymous},
                   {"places", json::arrayOf(report.places, json::place)},
                   {"gaps", json::arrayOf(report.gaps, json::gap)},
                   {"connections", Json::array()},
                   {"left_out", {{"active", report.activeLeftOut}, {"idle", report.idleLeftOut}}}};
  if (report.madeAt) document["made_at"] = json::timeText(*report.madeAt);
  if (report.recording) {
    if (!report.recording->note.empty()) document["note"] = forPlainText(report.recording->note);
    document["recording"] = recordingJson(*report.recording);
  }
  for (const ReportedConnection& one : report.connections) {
    document["connections"].push_back(connectionJson(one, report.clock));
  }
  if (Json settings = settingsJson(report.places); !settings.empty()) document["settings"] = std::move(settings);
  if (report.checkup) {
    document["checkup"] = {{"status", name(worstOf(*report.checkup))},
                           {"checks", json::arrayOf(*report.checkup, json::check)}};
  }
  return document;
}

Json settingJson(const PairedSetting& setting) {
  Json object = {{"key", forPlainText(UntrustedText(setting.key))}};
  if (setting.first) object["first"] = forPlainText(UntrustedText(*setting.first));
  if (setting.second) object["second"] = forPlainText(UntrustedText(*setting.second));
  return object;
}

}  // namespace

std::string toJson(const ReportModel& report) {
  return json::compact(reportJson(report)) + "\n";
}

std::string toJson(const ReportPair& pair) {
  Json document = {{"schema", "tcpscope.comparison"},
                   {"schema_version", 1},
                   {"first", reportJson(pair.first)},
                   {"second", reportJson(pair.second)}};
  if (const auto isSame = pair.isSameVerdict()) document["same_verdict"] = *isSame;
  if (pair.goodput) {
    document["goodput"] = json::comparison(*pair.goodput, SampleKind::blocks);
    document["text"] = sentence(*pair.goodput, SampleKind::blocks, kSecondAgainstFirst);
  }
  if (knowsSettings(pair)) document["settings"] = json::arrayOf(differentSettings(pair), settingJson);
  return json::compact(document) + "\n";
}

}  // namespace tcpscope
