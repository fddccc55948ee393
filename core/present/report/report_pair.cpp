#include "core/present/report/report_pair.h"

#include <set>
#include <utility>

#include "core/session/transfer_stretch.h"

namespace tcpscope {

namespace {

std::vector<double> goodputOf(const ReportModel& report) {
  if (report.connections.empty()) return {};
  const ConnectionDetail& detail = *report.connections.front().detail;
  const auto from = detail.history.firstTime();
  if (!from) return {};
  return goodputBlocks(detail.history, detail.diagnosis.bulk, *from, *detail.history.lastTime());
}

/// Null where no settings were reported.
const SysctlValues* settingsOf(const ReportModel& report) {
  if (report.connections.empty()) return nullptr;
  for (const Place& place : report.places) {
    if (place.id == report.connections.front().detail->row.id.place) return place.settings.get();
  }
  return nullptr;
}

std::optional<std::string> copyOf(const std::optional<std::string_view>& text) {
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

}  // namespace

std::optional<bool> ReportPair::isSameVerdict() const {
  if (first.connections.empty() || second.connections.empty()) return std::nullopt;
  const Verdict& one = first.connections.front().detail->diagnosis.verdict;
  const Verdict& other = second.connections.front().detail->diagnosis.verdict;
  return one.limit == other.limit && one.cause == other.cause;
}

ReportPair pairOf(ReportModel first, ReportModel second) {
  ReportPair pair{std::move(first), std::move(second), std::nullopt};
  const std::vector<double> before = goodputOf(pair.first);
  const std::vector<double> after = goodputOf(pair.second);
  if (before.size() >= kFewestBlocks && after.size() >= kFewestBlocks) pair.goodput = compare(before, after);
  return pair;
}

bool knowsSettings(const ReportPair& pair) {
  return settingsOf(pair.first) != nullptr && settingsOf(pair.second) != nullptr;
}

std::vector<PairedSetting> differentSettings(const ReportPair& pair) {
  std::vector<PairedSetting> different;
  if (!knowsSettings(pair)) return different;
  const SysctlValues& first = *settingsOf(pair.first);
  const SysctlValues& second = *settingsOf(pair.second);
  std::set<std::string_view> keys;
  for (const SysctlValues* values : {&first, &second}) {
    for (const auto& [key, value] : values->all()) keys.insert(key);
  }
  for (const std::string_view key : keys) {
    PairedSetting setting{std::string(key), copyOf(first.text(key)), copyOf(second.text(key))};
    if (setting.first != setting.second) different.push_back(std::move(setting));
  }
  return different;
}

}  // namespace tcpscope
