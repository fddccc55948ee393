#include "core/changes/change_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/changes/setting_rule.h"
#include "core/host/place.h"

namespace tcpscope {

namespace {

constexpr std::string_view kChangeRecordHeader = "tcpscope-change 1";
constexpr std::string_view kLastLine = "end";
constexpr std::array kStates = {ChangeState::preparing, ChangeState::applied, ChangeState::confirmed,
                                ChangeState::reverted, ChangeState::gone};
/// Only where the originals are in force.
constexpr std::string_view kOriginalLine = "in_force original";
constexpr std::size_t kLongestValue = 256;
/// End of the year 9999, the last one that fmt formats.
constexpr std::int64_t kLastSecond = 253'402'300'799;

/// Splits the text into lines; a missing line is an error.
class Lines {
public:
  explicit Lines(std::string_view text) : m_rest(text) {}

  std::optional<std::string_view> next() {
    const std::size_t end = m_rest.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view line = m_rest.substr(0, end);
    m_rest.remove_prefix(end + 1);
    return line;
  }
  /// Takes the next line if it is this one.
  bool take(std::string_view line) {
    if (m_rest.substr(0, line.size()) != line || m_rest.substr(line.size(), 1) != "\n") return false;
    m_rest.remove_prefix(line.size() + 1);
    return true;
  }
  /// The value behind a name.
  std::optional<std::string_view> value(std::string_view name) {
    const auto line = next();
    if (!line || line->size() <= name.size() || line->substr(0, name.size()) != name || (*line)[name.size()] != ' ') {
      return std::nullopt;
    }
    return line->substr(name.size() + 1);
  }
  template <class Number>
  bool number(std::string_view name, Number& number) {
    const auto text = value(name);
    if (!text) return false;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    // As it was written: no sign where none belongs, no zero in front.
    return error == std::errc() && end == text->data() + text->size() && fmt::to_string(number) == *text;
  }
  bool flag(std::string_view name, bool& flag) {
    const auto text = value(name);
    flag = text == "yes";
    return text == "yes" || text == "no";
  }
  [[nodiscard]] bool isAtEnd() const { return m_rest.empty(); }

private:
  std::string_view m_rest;
};

bool isPlainValue(std::string_view text) {
  return !text.empty() && text.size() <= kLongestValue && withSingleBlanks(text) == text &&
         std::all_of(text.begin(), text.end(), [](char letter) { return letter >= ' ' && letter <= '~'; });
}

std::optional<ChangedSetting> readSetting(Lines& lines) {
  const auto key = lines.value("key");
  const auto original = lines.value("original");
  const auto wanted = lines.value("wanted");
  if (!key || !original || !wanted || !isPlainValue(*original)) return std::nullopt;
  const auto checked = checkedSetting(*key, *wanted);
  if (!checked || checked->value != *wanted) return std::nullopt;
  return ChangedSetting{checked->key, std::string(*original), checked->value};
}

bool readSettings(Lines& lines, std::vector<ChangedSetting>& settings) {
  std::size_t count = 0;
  if (!lines.number("settings", count) || count == 0 || count > kMostSettings) return false;
  for (std::size_t index = 0; index < count; ++index) {
    auto setting = readSetting(lines);
    if (!setting) return false;
    const bool isTwice = std::any_of(settings.begin(), settings.end(),
                                     [&](const ChangedSetting& one) { return one.key == setting->key; });
    if (isTwice) return false;
    settings.push_back(std::move(*setting));
  }
  return true;
}

bool readDeadline(Lines& lines, std::optional<Nanoseconds>& deadline) {
  std::int64_t nanoseconds = 0;
  if (!lines.number("deadline_boottime_ns", nanoseconds) || nanoseconds < 0) return false;
  // 0 stands for "no deadline": CLOCK_BOOTTIME is never 0 while the program runs.
  if (nanoseconds > 0) deadline = Nanoseconds(nanoseconds);
  return true;
}

}  // namespace

std::string_view name(ChangeState state) {
  switch (state) {
    case ChangeState::preparing:
      return "preparing";
    case ChangeState::applied:
      return "applied";
    case ChangeState::confirmed:
      return "confirmed";
    case ChangeState::reverted:
      return "reverted";
    case ChangeState::gone:
      return "gone";
  }
  return "unknown";
}

bool isOpen(const ChangeRecord& record) {
  return record.state != ChangeState::reverted && record.state != ChangeState::gone;
}

bool isOverdue(const ChangeRecord& record, Nanoseconds bootTime) {
  return record.state == ChangeState::applied && record.deadline && bootTime >= *record.deadline;
}

bool endedWithItsBoot(const ChangeRecord& record, std::string_view bootId) {
  const bool outlivesBoots = record.state == ChangeState::confirmed && record.persist && record.isHostNamespace;
  return isOpen(record) && record.bootId != bootId && !outlivesBoots;
}

std::string writeChangeRecord(const ChangeRecord& record) {
  const auto flag = [](bool value) { return value ? "yes" : "no"; };
  std::string text = fmt::format(
      "{}\nid {}\nstate {}\nboot_id {}\nnetwork_namespace {}\nhost_namespace {}\nmade_at_s {}\npersist {}\n"
      "deadline_boottime_ns {}\n{}settings {}\n",
      kChangeRecordHeader, record.id, name(record.state), record.bootId, record.networkNamespace,
      flag(record.isHostNamespace), record.madeAtSeconds, flag(record.persist),
      record.deadline ? record.deadline->count() : 0,
      record.inForce == SettingVersion::original ? fmt::format("{}\n", kOriginalLine) : "", record.settings.size());
  for (const ChangedSetting& setting : record.settings) {
    text += fmt::format("key {}\noriginal {}\nwanted {}\n", setting.key, setting.original, setting.wanted);
  }
  return text + std::string(kLastLine) + '\n';
}

std::optional<ChangeRecord> readChangeRecord(std::string_view text) {
  if (text.size() > kMostRecordBytes) return std::nullopt;
  Lines lines(text);
  ChangeRecord record;
  if (lines.next() != kChangeRecordHeader || !lines.number("id", record.id) || record.id == 0) return std::nullopt;
  const auto state = lines.value("state");
  const auto known = std::find_if(kStates.begin(), kStates.end(), [&](ChangeState one) { return name(one) == state; });
  if (known == kStates.end()) return std::nullopt;
  record.state = *known;
  const auto bootId = lines.value("boot_id");
  if (!bootId || !isBootId(*bootId)) return std::nullopt;
  record.bootId = *bootId;
  const bool isWhole = lines.number("network_namespace", record.networkNamespace) &&
                       lines.flag("host_namespace", record.isHostNamespace) &&
                       lines.number("made_at_s", record.madeAtSeconds) && lines.flag("persist", record.persist) &&
                       readDeadline(lines, record.deadline);
  if (!isWhole) return std::nullopt;
  if (lines.take(kOriginalLine)) record.inForce = SettingVersion::original;
  const bool isComplete = readSettings(lines, record.settings) && lines.next() == kLastLine && lines.isAtEnd();
  if (!isComplete || record.madeAtSeconds < 0 || record.madeAtSeconds > kLastSecond) return std::nullopt;
  return record;
}

}  // namespace tcpscope
