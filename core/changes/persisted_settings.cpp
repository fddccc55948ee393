#include "core/changes/persisted_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

namespace tcpscope {

namespace {

/// "2026-11-22", in UTC.
std::string dayOf(const ChangeRecord& record) {
  const std::chrono::sys_seconds made{std::chrono::seconds(record.madeAtSeconds)};
  const std::chrono::year_month_day day{std::chrono::floor<std::chrono::days>(made)};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                     static_cast<unsigned>(day.day()));
}

}  // namespace

std::string persistedSettings(std::vector<ChangeRecord> records) {
  std::sort(records.begin(), records.end(),
            [](const ChangeRecord& left, const ChangeRecord& right) { return left.id < right.id; });
  std::map<std::string, std::string> lines;
  for (const ChangeRecord& record : records) {
    if (!record.persist || record.state != ChangeState::confirmed) continue;
    for (const ChangedSetting& setting : record.settings) {
      lines[setting.key] = fmt::format("# Change {} of {}; before it: {}\n{} = {}\n", record.id, dayOf(record),
                                       setting.original, setting.key, setting.wanted);
    }
  }
  if (lines.empty()) return {};
  std::string text =
      "# Written by tcpscope, which undoes each with 'tcpscope-cli revert CHANGE'.\n"
      "# It leaves this file alone once somebody else has changed it.\n";
  for (const auto& [key, line] : lines) text += '\n' + line;
  return text;
}

}  // namespace tcpscope
