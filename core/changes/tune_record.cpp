#include "core/changes/tune_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/host/place.h"

namespace tcpscope {

namespace {

constexpr std::string_view kTuneRecordHeader = "tcpscope-tuned 1";
constexpr std::string_view kDeadline = "deadline";
/// The last line.
constexpr std::string_view kEnd = "end\n";
/// An unknown value.
constexpr std::string_view kUnknown = "?";
/// In front of the options of a trial.
constexpr std::string_view kChangedOnTrial = "trial ";
constexpr std::string_view kEarlier = "earlier ";
constexpr std::uint64_t kLargestIntOption = std::numeric_limits<std::uint32_t>::max();

std::string textOf(const SocketOptionRow& row, const OptionValue& value) {
  return row.unit == OptionUnit::name ? std::string(value.name.text()) : std::to_string(value.number);
}

/// Without sign and leading zeros, so that each value has one form.
std::optional<std::uint64_t> parseNumber(std::string_view text, int base = 10) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  const std::string written = base == 16 ? fmt::format("{:x}", number) : std::to_string(number);
  if (written != text) return std::nullopt;
  return number;
}

std::optional<OptionValue> valueOf(const SocketOptionRow& row, std::string_view text) {
  if (row.unit == OptionUnit::name) {
    if (!isCongestionControlName(text)) return std::nullopt;
    return OptionValue{0, CongestionControlName(text)};
  }
  const auto number = parseNumber(text);
  if (!number || (row.unit != OptionUnit::bytesPerSecond && *number > kLargestIntOption)) return std::nullopt;
  return OptionValue{*number, {}};
}

/// Takes one line, or one word of a line, from the front.
std::optional<std::string_view> take(std::string_view& text, char end) {
  const std::size_t length = text.find(end);
  if (length == std::string_view::npos) return std::nullopt;
  const std::string_view part = text.substr(0, length);
  text.remove_prefix(length + 1);
  return part;
}

/// What follows `label` in the next line.
std::optional<std::string_view> takeLabelled(std::string_view& text, std::string_view label) {
  auto line = take(text, '\n');
  if (!line || take(*line, ' ') != label) return std::nullopt;
  return line;
}

std::optional<RecordedOption> optionOf(std::string_view line) {
  const auto name = take(line, ' ');
  const auto before = take(line, ' ');
  if (!name || !before) return std::nullopt;
  const SocketOptionRow* row = optionNamed(*name);
  if (row == nullptr || row->name != *name || row->changeable != Changeable::live) return std::nullopt;
  const auto valueBefore = valueOf(*row, *before);
  if (!valueBefore) return std::nullopt;
  RecordedOption option{row->id, *valueBefore, std::nullopt};
  if (line == kUnknown) return option;
  option.after = valueOf(*row, line);
  return option.after ? std::optional(option) : std::nullopt;
}

void append(std::string& text, std::string_view label, const std::vector<RecordedOption>& options) {
  for (const RecordedOption& option : options) {
    const SocketOptionRow& row = optionRow(option.option);
    text += fmt::format("{}{} {} {}\n", label, row.name, textOf(row, option.before),
                        option.after ? textOf(row, *option.after) : std::string(kUnknown));
  }
}

/// Takes the lines that start with `label`; false if one of them has no option, or an option a second time.
bool takeOptions(std::string_view& text, std::string_view label, std::vector<RecordedOption>& options) {
  while (text.substr(0, label.size()) == label && text != kEnd) {
    const auto line = take(text, '\n');
    const auto option = line ? optionOf(line->substr(label.size())) : std::nullopt;
    if (!option) return false;
    const bool isTwice = std::any_of(options.begin(), options.end(),
                                     [&](const RecordedOption& one) { return one.option == option->option; });
    if (isTwice) return false;
    options.push_back(*option);
  }
  return true;
}

/// False for a damaged one.
bool takeTrial(std::string_view& text, std::optional<TuneTrial>& trial) {
  // Records of changes that stay, and of earlier versions, have none.
  if (text.substr(0, kDeadline.size() + 1) != "deadline ") return true;
  const auto deadline = takeLabelled(text, kDeadline);
  const auto inode = takeLabelled(text, "inode");
  const auto nanoseconds = deadline ? parseNumber(*deadline) : std::nullopt;
  const auto number = inode ? parseNumber(*inode) : std::nullopt;
  constexpr std::uint64_t kLatest = std::numeric_limits<std::int64_t>::max();
  if (!nanoseconds || *nanoseconds > kLatest || !number || *number > std::numeric_limits<std::uint32_t>::max()) {
    return false;
  }
  trial.emplace();
  trial->deadline = Nanoseconds(static_cast<std::int64_t>(*nanoseconds));
  trial->inode = static_cast<std::uint32_t>(*number);
  return takeOptions(text, kChangedOnTrial, trial->changed) && takeOptions(text, kEarlier, trial->earlier) &&
         !trial->changed.empty();
}

std::optional<TuneKey> takeKey(std::string_view& text) {
  if (take(text, '\n') != kTuneRecordHeader) return std::nullopt;
  const auto boot = takeLabelled(text, "boot");
  if (!boot || !isBootId(*boot)) return std::nullopt;
  const auto space = takeLabelled(text, "namespace");
  const auto cookie = takeLabelled(text, "cookie");
  const auto inode = space ? parseNumber(*space) : std::nullopt;
  const auto number = cookie ? parseNumber(*cookie, 16) : std::nullopt;
  if (!inode || !number) return std::nullopt;
  return TuneKey{std::string(*boot), *inode, *number};
}

}  // namespace

std::string TuneKey::fileName() const {
  return fmt::format("{}_{}_{:x}", bootId, networkNamespace, cookie);
}

const RecordedOption* TuneRecord::find(SocketOption option) const {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [option](const RecordedOption& one) { return one.option == option; });
  return found == options.end() ? nullptr : &*found;
}

RecordedOption* TuneRecord::find(SocketOption option) {
  return const_cast<RecordedOption*>(
      std::as_const(*this).find(option));  // NOLINT: of this object, which may be changed
}

bool isOverdue(const TuneRecord& record, Nanoseconds bootTime) {
  return record.trial && bootTime >= record.trial->deadline;
}

std::string writeTuneRecord(const TuneRecord& record) {
  std::string text = fmt::format("{}\nboot {}\nnamespace {}\ncookie {:x}\n", kTuneRecordHeader, record.key.bootId,
                                 record.key.networkNamespace, record.key.cookie);
  if (record.trial) {
    text += fmt::format("{} {}\ninode {}\n", kDeadline, record.trial->deadline.count(), record.trial->inode);
    append(text, kChangedOnTrial, record.trial->changed);
    append(text, kEarlier, record.trial->earlier);
  }
  append(text, {}, record.options);
  text += kEnd;
  return text;
}

std::optional<TuneRecord> parseTuneRecord(std::string_view text) {
  if (text.size() > kLongestTuneRecord) return std::nullopt;
  const auto key = takeKey(text);
  if (!key) return std::nullopt;
  TuneRecord record{*key, {}};
  if (!takeTrial(text, record.trial) || !takeOptions(text, {}, record.options)) return std::nullopt;
  if (text != kEnd) return std::nullopt;
  // A trial changes options that the record has as well.
  if (record.trial && record.options.empty()) return std::nullopt;
  return record;
}

}  // namespace tcpscope
