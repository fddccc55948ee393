#include "core/model/metric_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/model/tcp_state.h"

namespace tcpscope {
namespace {

struct ShortName {
  std::string_view word;
  Metric metric;
};
constexpr std::array kShortNames = {
    ShortName{"cwnd", Metric::sndCwnd},
    ShortName{"ssthresh", Metric::sndSsthresh},
    ShortName{"mss", Metric::sndMss},
    ShortName{"send_rate", Metric::sendGoodput},
    ShortName{"receive_rate", Metric::receiveGoodput},
    ShortName{"app_limited", Metric::deliveryRateAppLimited},
    ShortName{"minrtt", Metric::minRtt},
};

std::string_view unitSuffix(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::bytes:
      return "_bytes";
    case MetricUnit::segments:
      return "_segments";
    case MetricUnit::microseconds:
      return "_us";
    case MetricUnit::bitsPerSecond:
      return "_bps";
    case MetricUnit::ratio:
      return "_ratio";
    case MetricUnit::perSecond:
      return "_per_s";
    case MetricUnit::none:
    case MetricUnit::flag:
    case MetricUnit::name:
      break;
  }
  return {};
}

struct UnitWord {
  std::string_view word;
  double factor;
};

constexpr std::array kTimes = {UnitWord{"us", 1.0}, UnitWord{"µs", 1.0},  UnitWord{"ns", 1e-3}, UnitWord{"ms", 1e3},
                               UnitWord{"s", 1e6},  UnitWord{"min", 6e7}, UnitWord{"h", 3.6e9}};
constexpr std::array kSizes = {UnitWord{"b", 1.0},           UnitWord{"byte", 1.0},         UnitWord{"bytes", 1.0},
                               UnitWord{"k", 1024.0},        UnitWord{"ki", 1024.0},        UnitWord{"kib", 1024.0},
                               UnitWord{"kb", 1e3},          UnitWord{"m", 1048576.0},      UnitWord{"mi", 1048576.0},
                               UnitWord{"mib", 1048576.0},   UnitWord{"mb", 1e6},           UnitWord{"g", 1073741824.0},
                               UnitWord{"gi", 1073741824.0}, UnitWord{"gib", 1073741824.0}, UnitWord{"gb", 1e9}};
constexpr std::array kPrefixes = {UnitWord{"", 1.0}, UnitWord{"k", 1e3}, UnitWord{"m", 1e6}, UnitWord{"g", 1e9},
                                  UnitWord{"t", 1e12}};
constexpr std::array kRateEndings = {std::string_view{""}, std::string_view{"bit"}, std::string_view{"bit/s"},
                                     std::string_view{"bps"}, std::string_view{"b/s"}};
constexpr std::array kShares = {UnitWord{"%", 0.01}};

template <class Table>
std::optional<double> factorOf(const Table& table, std::string_view unit) {
  for (const UnitWord& entry : table) {
    if (entry.word == unit) return entry.factor;
  }
  return std::nullopt;
}

/// SI prefix, then "bit", "bit/s", "bps" or "b/s": always bits, never bytes.
std::optional<double> rateFactor(std::string_view unit) {
  for (const UnitWord& prefix : kPrefixes) {
    if (!unit.starts_with(prefix.word)) continue;
    for (const std::string_view ending : kRateEndings) {
      if (unit.substr(prefix.word.size()) == ending) return prefix.factor;
    }
  }
  return std::nullopt;
}

std::optional<double> unitFactor(MetricUnit unit, std::string_view word) {
  if (word.empty()) return 1.0;
  switch (unit) {
    case MetricUnit::bytes:
      return factorOf(kSizes, word);
    case MetricUnit::microseconds:
      return factorOf(kTimes, word);
    case MetricUnit::bitsPerSecond:
      return rateFactor(word);
    case MetricUnit::ratio:
      return factorOf(kShares, word);
    case MetricUnit::perSecond:
      return word == "/s" ? std::optional<double>(1.0) : std::nullopt;
    case MetricUnit::none:
    case MetricUnit::segments:
      return factorOf(kPrefixes, word);
    case MetricUnit::flag:
    case MetricUnit::name:
      break;
  }
  return std::nullopt;
}

std::optional<double> numberWithUnit(MetricUnit unit, const std::string& word) {
  // A sign, "inf" and "nan" are no values of a metric: from_chars would take them.
  if (word.empty() || !((word[0] >= '0' && word[0] <= '9') || word[0] == '.')) return std::nullopt;
  double number = 0.0;
  const char* const wordEnd = word.data() + word.size();
  const auto [end, error] = std::from_chars(word.data(), wordEnd, number, std::chars_format::fixed);
  if (error != std::errc()) return std::nullopt;
  const auto factor = unitFactor(unit, std::string_view(end, static_cast<std::size_t>(wordEnd - end)));
  if (!factor || !std::isfinite(number * *factor)) return std::nullopt;
  return number * *factor;
}

std::optional<double> flagValue(std::string_view word) {
  if (word == "true" || word == "yes" || word == "1") return 1.0;
  if (word == "false" || word == "no" || word == "0") return 0.0;
  return std::nullopt;
}

std::optional<double> namedValue(Metric metric, std::string_view word) {
  for (int number = 0; number <= static_cast<int>(TcpState::newSynReceived); ++number) {
    const std::string_view candidate = metricValueName(metric, number);
    if (!candidate.empty() && folded(candidate) == word) return number;
  }
  return std::nullopt;
}

}  // namespace

std::string folded(std::string_view word) {
  std::string text(word);
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    if (letter == '_') letter = '-';
  }
  return text;
}

const MetricRow* metricField(std::string_view anyCase) {
  std::string word = folded(anyCase);
  std::replace(word.begin(), word.end(), '-', '_');
  if (const MetricRow* exact = findMetric(word)) return exact;
  for (const ShortName& entry : kShortNames) {
    if (entry.word == word) return &metricRow(entry.metric);
  }
  // The kernel's counter comes before the share of the same name in the catalogue: rwnd_limited is the time.
  for (const MetricRow& row : metricCatalogue()) {
    const std::string_view suffix = unitSuffix(row.unit);
    if (suffix.empty() || row.key.size() != word.size() + suffix.size()) continue;
    if (row.key.starts_with(word) && row.key.ends_with(suffix)) return &row;
  }
  return nullptr;
}

std::optional<double> metricValue(const MetricRow& row, std::string_view word) {
  const std::string plain = folded(word);
  if (row.unit == MetricUnit::flag) return flagValue(plain);
  if (row.unit == MetricUnit::name) return namedValue(row.metric, plain);
  if (row.unit == MetricUnit::bitsPerSecond && plain == "unlimited") return std::numeric_limits<double>::infinity();
  return numberWithUnit(row.unit, plain);
}

std::optional<double> wantedValue(Metric metric, std::string_view word) {
  constexpr double kMost = 1e15;
  const auto value = metricValue(metricRow(metric), word);
  return value > 0.0 && value < kMost ? value : std::nullopt;
}

std::string_view valueExample(MetricUnit unit) {
  switch (unit) {
    case MetricUnit::bytes:
      return "a size such as 64KiB, 1.5MiB or 65536";
    case MetricUnit::segments:
      return "a number of segments such as 10";
    case MetricUnit::microseconds:
      return "a time such as 50ms, 200us or 1.5s";
    case MetricUnit::bitsPerSecond:
      return "a rate such as 10Mbit, 1.5Gbit/s or unlimited";
    case MetricUnit::ratio:
      return "a share such as 2% or 0.02";
    case MetricUnit::perSecond:
      return "a number a second such as 5";
    case MetricUnit::flag:
      return "true or false";
    case MetricUnit::name:
      return "one of open, disorder, cwr, recovery, loss";
    case MetricUnit::none:
      break;
  }
  return "a number such as 3";
}

}  // namespace tcpscope
