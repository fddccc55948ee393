#include "ui/models/setting_rows.h"

#include <algorithm>
#include <cmath>

#include "core/changes/setting_rule.h"
#include "core/present/text/change_text.h"
#include "core/present/text/setting_text.h"
#include "core/present/text/tune_text.h"
#include "ui/text/plain_text.h"

namespace tcpscope {

namespace {

const HostChangeRow* rowNamed(const std::vector<HostChangeRow>& rows, std::string_view key) {
  const auto found = std::find_if(rows.begin(), rows.end(), [key](const HostChangeRow& one) { return one.key == key; });
  return found == rows.end() ? nullptr : &*found;
}

/// What a sample has of it.
std::optional<OptionValue> sampledValue(SocketOption option, const SocketObservation& socket) {
  const auto number = [](std::uint64_t value) { return std::optional(OptionValue{value, {}}); };
  switch (option) {
    case SocketOption::sendBuffer:
      return socket.memory ? number(socket.memory->sendBuffer.value()) : std::nullopt;
    case SocketOption::receiveBuffer:
      return socket.memory ? number(socket.memory->receiveBuffer.value()) : std::nullopt;
    case SocketOption::bufferLock:
      if (!socket.bufferLocks) return std::nullopt;
      return number((socket.bufferLocks->sendBuffer ? kSendBufferLock : 0) |
                    (socket.bufferLocks->receiveBuffer ? kReceiveBufferLock : 0));
    case SocketOption::congestionControl:
      if (socket.congestionControl.text().empty()) return std::nullopt;
      return OptionValue{0, socket.congestionControl};
    case SocketOption::maxPacingRate: {
      const auto rate = socket.info.maxPacingRate();
      if (!rate) return std::nullopt;
      return number(rate->isUnlimited() ? kUnlimited : static_cast<std::uint64_t>(rate->value() / 8.0));
    }
    case SocketOption::noDelay:
      return socket.nagle ? number(socket.nagle->noDelay ? 1 : 0) : std::nullopt;
    case SocketOption::cork:
      return socket.nagle ? number(socket.nagle->cork ? 1 : 0) : std::nullopt;
    case SocketOption::userTimeout:
      return socket.userTimeout ? number(static_cast<std::uint64_t>(socket.userTimeout->count())) : std::nullopt;
    default:
      return std::nullopt;
  }
}

SettingRow sysctlRow(std::string_view key, const SysctlValues& settings, const HostChangeRow* read) {
  SettingRow row;
  row.key = std::string(key);
  if (const auto value = settings.text(key)) {
    row.now = plainText(UntrustedText(withSingleBlanks(*value)));
  } else if (read != nullptr && read->now) {
    row.now = plainText(UntrustedText(*read->now));
  }
  row.typed = row.now;
  if (read != nullptr) row.setBy = toQString(read->setBy);
  row.explanation = toQString(explanationOfSysctl(key));
  const auto range = allowedRange(key);
  row.canChange = range.has_value();
  row.allowed = range ? toQString(allowedText(*range)) : QStringLiteral("not changed by tcpscope");
  return row;
}

/// The ends of a slider; absent for an option without one.
struct SliderRange {
  double least;
  double most;
};
std::optional<SliderRange> sliderRange(SocketOption option) {
  switch (option) {
    case SocketOption::sendBuffer:
    case SocketOption::receiveBuffer:
    case SocketOption::windowClamp:
      return SliderRange{static_cast<double>(optionRow(option).least), 64.0 * 1024 * 1024};
    case SocketOption::notSentLowWater:
      return SliderRange{4096.0, 64.0 * 1024 * 1024};
    case SocketOption::maxPacingRate:
      // 100 kbit/s to 100 Gbit/s, in bytes.
      return SliderRange{12'500.0, 12.5e9};
    default:
      return std::nullopt;
  }
}

std::string optionWords(const SettingRow& row, const QString& typed) {
  return row.key + "=" + typed.trimmed().toStdString();
}

}  // namespace

std::vector<SettingRow> sysctlRows(const SysctlValues& settings, const std::vector<HostChangeRow>& read) {
  std::vector<SettingRow> rows;
  for (const std::string_view key : allowedKeys()) {
    SettingRow row = sysctlRow(key, settings, rowNamed(read, key));
    // A kernel without it has nothing to change.
    if (!row.now.isEmpty()) rows.push_back(std::move(row));
  }
  for (const auto& [key, value] : settings.all()) {
    if (!allowedRange(key) && !readLinkSettingKey(key)) rows.push_back(sysctlRow(key, settings, nullptr));
  }
  return rows;
}

std::vector<SettingRow> optionRows(const SocketObservation& socket, const std::vector<HostChangeRow>& read) {
  std::vector<SettingRow> rows;
  for (const SocketOptionRow& option : socketOptions()) {
    SettingRow row;
    row.kind = SettingKind::socketOption;
    row.key = std::string(option.name);
    row.option = option.id;
    const HostChangeRow* const known = rowNamed(read, option.name);
    if (const auto sampled = sampledValue(option.id, socket)) {
      row.now = toQString(valueText(option.id, *sampled));
      // The kernel doubles what is set.
      row.value = isBufferSize(option.id) ? OptionValue{sampled->number / 2, {}} : *sampled;
      row.typed = typedValue(option.id, *row.value);
    } else if (known != nullptr) {
      row.now = toQString(known->nowText);
    }
    if (known != nullptr) row.setBy = toQString(known->setBy);
    row.explanation = toQString(explanation(option.id));
    row.canChange = option.changeable == Changeable::live;
    row.allowed = toQString(allowedText(option));
    rows.push_back(std::move(row));
  }
  return rows;
}

bool hasSliderRange(SocketOption option) {
  return sliderRange(option).has_value();
}

OptionValue optionAt(SocketOption option, double position) {
  const auto range = sliderRange(option);
  if (!range) return {};
  const double value = range->least * std::pow(range->most / range->least, std::clamp(position, 0.0, 1.0));
  return {static_cast<std::uint64_t>(std::llround(value)), {}};
}

std::optional<double> positionOf(SocketOption option, const OptionValue& value) {
  const auto range = sliderRange(option);
  const std::uint64_t unlimited = optionRow(option).unlimited;
  if (!range || (unlimited != 0 && value.number == unlimited)) return std::nullopt;
  const double within = std::clamp(static_cast<double>(value.number), range->least, range->most);
  return std::log(within / range->least) / std::log(range->most / range->least);
}

QString typedValue(SocketOption option, const OptionValue& value) {
  const SocketOptionRow& row = optionRow(option);
  if (row.unlimited != 0 && value.number == row.unlimited) return QStringLiteral("unlimited");
  const auto number = static_cast<double>(value.number);
  switch (row.unit) {
    case OptionUnit::bytesPerSecond:
      return QStringLiteral("%1bit").arg(number * 8, 0, 'f', 0);
    case OptionUnit::microseconds:
      return QStringLiteral("%1us").arg(value.number);
    case OptionUnit::milliseconds:
      return QStringLiteral("%1ms").arg(value.number);
    case OptionUnit::seconds:
      return QStringLiteral("%1s").arg(value.number);
    case OptionUnit::onOff:
      return value.number == 0 ? QStringLiteral("off") : QStringLiteral("on");
    case OptionUnit::bufferLocks:
    case OptionUnit::name:
      return toQString(valueText(option, value));
    case OptionUnit::bytes:
    case OptionUnit::number:
      break;
  }
  return QString::number(value.number);
}

std::optional<OptionValue> typedOption(const SettingRow& row, const QString& typed) {
  const auto parsed = parseOptionChange(optionWords(row, typed));
  return row.option && parsed ? std::optional(parsed->value) : std::nullopt;
}

Expected<SettingChange, QString> typedChange(const SettingRow& row, const QString& typed) {
  const std::string words = typed.trimmed().toStdString();
  SettingChange change;
  change.kind = row.kind;
  if (row.kind == SettingKind::socketOption) {
    const auto parsed = parseOptionChange(optionWords(row, typed));
    if (!parsed) return Unexpected<QString>(toQString(sentence(parsed.error(), {})));
    change.key = optionRow(parsed->option).name;
    change.wanted = words;
    return change;
  }
  const auto checked = checkedSetting(row.key, words);
  if (!checked) {
    return Unexpected<QString>(toQString(checked.error().key + " " + std::string(sentence(checked.error().refusal))));
  }
  // The catalogue's own text: the row may be gone before the change is.
  const auto keys = allowedKeys();
  change.key = *std::find(keys.begin(), keys.end(), row.key);
  change.wanted = checked->value;
  return change;
}

}  // namespace tcpscope
