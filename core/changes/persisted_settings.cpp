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

constexpr std::string_view kHeader =
    "# Written by tcpscope, which undoes each with 'tcpscope-cli revert CHANGE'.\n"
    "# It leaves this file alone once somebody else has changed it.\n";

/// Of a setting, up to its original.
std::string titleOf(const ChangeRecord& record) {
  return fmt::format("# Change {} of {}; before it: ", record.id, dayOf(record));
}

std::string lineOf(const ChangedSetting& setting) {
  return fmt::format("{} = {}\n", setting.key, setting.wanted);
}

/// Takes a line with its end off the text; empty if it has none.
std::string_view takeLine(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = end == std::string_view::npos ? std::string_view() : text.substr(0, end + 1);
  text.remove_prefix(line.size());
  return line;
}

bool isSettingOf(const std::vector<ChangeRecord>& records, std::string_view title, std::string_view line) {
  return std::any_of(records.begin(), records.end(), [&](const ChangeRecord& record) {
    const std::string expected = titleOf(record);
    return record.persist && title.substr(0, expected.size()) == expected &&
           std::any_of(record.settings.begin(), record.settings.end(),
                       [&](const ChangedSetting& setting) { return lineOf(setting) == line; });
  });
}

}  // namespace

bool explainsPersisted(const std::vector<ChangeRecord>& records, std::string_view file) {
  if (!file.empty() && file.substr(0, kHeader.size()) != kHeader) return false;
  std::string_view rest = file;
  rest.remove_prefix(std::min(kHeader.size(), rest.size()));
  while (!rest.empty()) {
    if (takeLine(rest) != "\n") return false;
    const std::string_view title = takeLine(rest);
    if (!isSettingOf(records, title, takeLine(rest))) return false;
  }
  const auto isMissing = [&](const ChangeRecord& record) {
    return record.persist && record.state == ChangeState::confirmed &&
           std::any_of(record.settings.begin(), record.settings.end(), [&](const ChangedSetting& setting) {
             return file.find(fmt::format("\n{} = ", setting.key)) == std::string_view::npos;
           });
  };
  return std::count_if(records.begin(), records.end(), isMissing) <= 1;
}

std::string persistedSettings(std::vector<ChangeRecord> records) {
  std::sort(records.begin(), records.end(),
            [](const ChangeRecord& left, const ChangeRecord& right) { return left.id < right.id; });
  std::map<std::string, std::string> lines;
  for (const ChangeRecord& record : records) {
    if (!record.persist || record.state != ChangeState::confirmed) continue;
    for (const ChangedSetting& setting : record.settings) {
      lines[setting.key] = titleOf(record) + setting.original + '\n' + lineOf(setting);
    }
  }
  if (lines.empty()) return {};
  std::string text(kHeader);
  for (const auto& [key, line] : lines) text += '\n' + line;
  return text;
}

}  // namespace tcpscope
