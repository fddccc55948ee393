#include "core/changes/option_value.h"

#include <algorithm>
#include <cmath>

#include "core/model/metric_words.h"

namespace tcpscope {

namespace {

constexpr std::size_t kLongestName = 15;

struct Reading {
  const SocketOptionRow& row;
  std::string_view word;

  [[nodiscard]] TuneError error(TuneErrorKind kind) const {
    return {kind, row.id, 0, UntrustedText(std::string(word))};
  }
};

/// Numbers and units as in filters.
std::optional<double> inUnit(OptionUnit unit, std::string_view word) {
  const auto read = [word](Metric metric) { return metricValue(metricRow(metric), word); };
  // A bare number is one in the option's own unit, as in the option's manual.
  const bool isBare = !word.empty() && word.find_first_not_of("0123456789.") == std::string_view::npos;
  const auto scaled = [&](Metric metric, double perUnit) -> std::optional<double> {
    const auto value = read(metric);
    if (!value) return std::nullopt;
    return isBare ? *value : *value / perUnit;
  };
  switch (unit) {
    case OptionUnit::bytes:
      return read(Metric::bytesAcked);
    case OptionUnit::bytesPerSecond:
      return scaled(Metric::pacingRate, 8.0);
    case OptionUnit::microseconds:
      return scaled(Metric::rtt, 1.0);
    case OptionUnit::milliseconds:
      return scaled(Metric::rtt, 1e3);
    case OptionUnit::seconds:
      return scaled(Metric::rtt, 1e6);
    case OptionUnit::number:
      return read(Metric::sndCwnd);
    case OptionUnit::onOff:
      if (word == "on") return 1.0;
      if (word == "off") return 0.0;
      return read(Metric::deliveryRateAppLimited);
    case OptionUnit::bufferLocks:
      if (word == "none") return 0.0;
      if (word == "send") return static_cast<double>(kSendBufferLock);
      if (word == "receive") return static_cast<double>(kReceiveBufferLock);
      if (word == "both") return static_cast<double>(kSendBufferLock | kReceiveBufferLock);
      return read(Metric::sndCwnd);
    case OptionUnit::name:
      break;
  }
  return std::nullopt;
}

Expected<OptionValue, TuneError> valueOf(const Reading& reading) {
  const SocketOptionRow& row = reading.row;
  if (row.unit == OptionUnit::name) {
    if (!isCongestionControlName(reading.word)) return tl::unexpected(reading.error(TuneErrorKind::malformedValue));
    return OptionValue{0, CongestionControlName(reading.word)};
  }
  const std::string word = folded(reading.word);
  if (row.unlimited != 0 && word == "unlimited") return OptionValue{row.unlimited, {}};
  const auto number = inUnit(row.unit, word);
  if (!number || std::isnan(*number)) return tl::unexpected(reading.error(TuneErrorKind::malformedValue));
  const double whole = std::floor(*number);
  if (whole < static_cast<double>(row.least) || whole > static_cast<double>(row.most)) {
    return tl::unexpected(reading.error(TuneErrorKind::outOfRange));
  }
  return OptionValue{static_cast<std::uint64_t>(whole), {}};
}

}  // namespace

bool isCongestionControlName(std::string_view text) {
  const auto isAllowed = [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '_' || letter == '-' || letter == '.';
  };
  return !text.empty() && text.size() <= kLongestName && std::all_of(text.begin(), text.end(), isAllowed);
}

Expected<OptionChange, TuneError> parseOptionChange(std::string_view word) {
  const std::size_t equals = word.find('=');
  const UntrustedText said{std::string(word)};
  if (equals == std::string_view::npos) {
    return tl::unexpected(TuneError{TuneErrorKind::malformedChange, std::nullopt, 0, said});
  }
  const std::string_view optionName = word.substr(0, equals);
  const SocketOptionRow* row = optionNamed(optionName);
  if (row == nullptr) {
    return tl::unexpected(
        TuneError{TuneErrorKind::unknownOption, std::nullopt, 0, UntrustedText(std::string(optionName))});
  }
  const Reading reading{*row, word.substr(equals + 1)};
  if (row->changeable == Changeable::atStart) return tl::unexpected(reading.error(TuneErrorKind::atStart));
  if (row->changeable == Changeable::notKept) return tl::unexpected(reading.error(TuneErrorKind::notKept));
  const auto value = valueOf(reading);
  if (!value) return tl::unexpected(value.error());
  return OptionChange{row->id, *value};
}

Expected<std::vector<OptionChange>, TuneError> parseOptionChanges(const std::vector<std::string>& words) {
  std::vector<OptionChange> changes;
  for (const std::string& word : words) {
    const auto change = parseOptionChange(word);
    if (!change) return tl::unexpected(change.error());
    const bool isThere = std::any_of(changes.begin(), changes.end(),
                                     [&](const OptionChange& earlier) { return earlier.option == change->option; });
    if (isThere) return tl::unexpected(TuneError{TuneErrorKind::optionTwice, change->option, 0, UntrustedText(word)});
    changes.push_back(*change);
  }
  return changes;
}

}  // namespace tcpscope
