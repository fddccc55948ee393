#include "core/changes/setting_rule.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace tcpscope {

namespace {

using Form = SettingForm;

struct AllowedSetting {
  std::string_view key;
  SettingRange range;
};

constexpr std::uint64_t kMostInt = 2'147'483'647;
constexpr std::uint64_t kMostUnsigned = 4'294'967'295;
/// A page at least, and no more than a gibibyte: beyond it a window scale of 14 ends.
constexpr std::uint64_t kLeastBuffer = 4096;
constexpr std::uint64_t kMostBuffer = 1ULL << 30;

constexpr std::array<AllowedSetting, 26> kRules = {{
    {"net.core.default_qdisc", {Form::queueDiscipline, 0, 0}},
    {"net.core.netdev_max_backlog", {Form::number, 100, 1'000'000}},
    {"net.core.rmem_max", {Form::number, kLeastBuffer, kMostBuffer}},
    {"net.core.somaxconn", {Form::number, 16, 65'535}},
    {"net.core.wmem_max", {Form::number, kLeastBuffer, kMostBuffer}},
    {"net.ipv4.tcp_autocorking", {Form::number, 0, 1}},
    {"net.ipv4.tcp_base_mss", {Form::number, 512, 9000}},
    {"net.ipv4.tcp_congestion_control", {Form::congestionControl, 0, 0}},
    {"net.ipv4.tcp_ecn", {Form::number, 0, 2}},
    {"net.ipv4.tcp_frto", {Form::number, 0, 2}},
    {"net.ipv4.tcp_limit_output_bytes", {Form::number, 16'384, kMostInt}},
    {"net.ipv4.tcp_max_syn_backlog", {Form::number, 16, 1'000'000}},
    {"net.ipv4.tcp_moderate_rcvbuf", {Form::number, 0, 1}},
    {"net.ipv4.tcp_mtu_probing", {Form::number, 0, 2}},
    {"net.ipv4.tcp_no_metrics_save", {Form::number, 0, 1}},
    {"net.ipv4.tcp_no_ssthresh_metrics_save", {Form::number, 0, 1}},
    {"net.ipv4.tcp_notsent_lowat", {Form::number, 4096, kMostUnsigned}},
    {"net.ipv4.tcp_pacing_ca_ratio", {Form::number, 100, 1000}},
    {"net.ipv4.tcp_pacing_ss_ratio", {Form::number, 100, 1000}},
    {"net.ipv4.tcp_recovery", {Form::number, 0, 7}},
    {"net.ipv4.tcp_rmem", {Form::three, kLeastBuffer, kMostBuffer}},
    {"net.ipv4.tcp_sack", {Form::number, 0, 1}},
    {"net.ipv4.tcp_slow_start_after_idle", {Form::number, 0, 1}},
    {"net.ipv4.tcp_timestamps", {Form::number, 0, 2}},
    {"net.ipv4.tcp_window_scaling", {Form::number, 0, 1}},
    {"net.ipv4.tcp_wmem", {Form::three, kLeastBuffer, kMostBuffer}},
}};

constexpr std::array<std::string_view, 5> kQueueDisciplines = {"fq", "fq_codel", "pfifo_fast", "sfq", "cake"};

std::vector<std::string_view> wordsOf(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n";
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) return words;
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    words.push_back(word);
    text.remove_prefix(word.size());
  }
}

std::optional<SettingRefusal> refusalOfNumbers(const SettingRange& rule, const std::vector<std::string_view>& words) {
  std::uint64_t before = 0;
  for (const std::string_view word : words) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc::result_out_of_range) return SettingRefusal::outOfRange;
    // No sign, no hexadecimal, no zero in front, which the kernel would read as octal.
    const bool isPlain =
        error == std::errc() && end == word.data() + word.size() && (word == "0" || word.front() != '0');
    if (!isPlain) return SettingRefusal::notANumber;
    if (number < rule.least || number > rule.most) return SettingRefusal::outOfRange;
    if (number < before) return SettingRefusal::notOrdered;
    before = number;
  }
  return std::nullopt;
}

/// Which of them a kernel has, it says itself; the name must not be more than a name (TCP_CA_NAME_MAX).
bool isCongestionControl(std::string_view word) {
  constexpr std::size_t kLongest = 15;
  return word.size() <= kLongest && std::all_of(word.begin(), word.end(), [](char letter) {
           return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '_';
         });
}

std::optional<SettingRefusal> refusalOf(const SettingRange& rule, const std::vector<std::string_view>& words) {
  if (words.size() != (rule.form == Form::three ? 3U : 1U)) return SettingRefusal::wrongCount;
  switch (rule.form) {
    case Form::number:
    case Form::three:
      return refusalOfNumbers(rule, words);
    case Form::congestionControl:
      if (isCongestionControl(words.front())) return std::nullopt;
      return SettingRefusal::unknownWord;
    case Form::queueDiscipline:
      if (std::find(kQueueDisciplines.begin(), kQueueDisciplines.end(), words.front()) != kQueueDisciplines.end()) {
        return std::nullopt;
      }
      return SettingRefusal::unknownWord;
  }
  return SettingRefusal::keyNotAllowed;
}

}  // namespace

std::string withSingleBlanks(std::string_view value) {
  std::string text;
  for (const std::string_view word : wordsOf(value)) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

Expected<WantedSetting, RefusedSetting> checkedSetting(std::string_view key, std::string_view value) {
  const auto refused = [&](SettingRefusal refusal) {
    return Unexpected<RefusedSetting>(RefusedSetting{std::string(key), refusal});
  };
  const auto rule = allowedRange(key);
  if (!rule) return refused(SettingRefusal::keyNotAllowed);
  if (value.size() > kMostRequestBytes) return refused(SettingRefusal::tooMuch);
  if (const auto refusal = refusalOf(*rule, wordsOf(value))) return refused(*refusal);
  return WantedSetting{std::string(key), withSingleBlanks(value)};
}

Expected<std::vector<WantedSetting>, RefusedSetting> checkedRequest(const std::vector<WantedSetting>& wanted) {
  std::vector<WantedSetting> checked;
  std::size_t bytes = 0;
  for (const WantedSetting& one : wanted) {
    bytes += one.key.size() + one.value.size();
    if (checked.size() == kMostSettings || bytes > kMostRequestBytes) {
      return tl::unexpected(RefusedSetting{one.key, SettingRefusal::tooMuch});
    }
    auto setting = checkedSetting(one.key, one.value);
    if (!setting) return tl::unexpected(setting.error());
    const bool isTwice = std::any_of(checked.begin(), checked.end(),
                                     [&](const WantedSetting& other) { return other.key == setting->key; });
    if (isTwice) return tl::unexpected(RefusedSetting{one.key, SettingRefusal::keyTwice});
    checked.push_back(std::move(*setting));
  }
  return checked;
}

std::optional<SettingRange> allowedRange(std::string_view key) {
  const auto* const rule =
      std::find_if(kRules.begin(), kRules.end(), [key](const AllowedSetting& one) { return one.key == key; });
  return rule == kRules.end() ? std::nullopt : std::optional(rule->range);
}

std::span<const std::string_view> allowedQueueDisciplines() {
  return kQueueDisciplines;
}

std::vector<std::string_view> allowedKeys() {
  std::vector<std::string_view> keys;
  keys.reserve(kRules.size());
  for (const AllowedSetting& rule : kRules) keys.push_back(rule.key);
  return keys;
}

}  // namespace tcpscope
