// What can be set on a host and on a live socket, as rows: value, allowed values, who set it, what it does.
//
// Values are those of the newest sample where it has them, else those that were read for the list.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/changes/option_value.h"
#include "core/host/sysctl_values.h"
#include "ui/feed/change_port.h"

namespace tcpscope {

struct SettingRow {
  SettingKind kind = SettingKind::sysctl;
  /// "net.ipv4.tcp_rmem", "SO_SNDBUF".
  std::string key;
  /// As people read it; empty where it is not known.
  QString now;
  QString allowed;
  /// Who or which file set it; empty where that is not known.
  QString setBy;
  QString explanation;
  /// tcpscope can change it.
  bool canChange = false;
  /// What an editor starts with: as it is typed. Empty where the value is not known.
  QString typed;
  /// Of a socket option.
  std::optional<SocketOption> option{};
  /// What to set so that it is as it is: of a buffer half of what the kernel has.
  std::optional<OptionValue> value{};
};

/// Every sysctl that the place reported, those that can be changed first. `read`: with who set them.
std::vector<SettingRow> sysctlRows(const SysctlValues& settings, const std::vector<HostChangeRow>& read);

/// Every option of the catalogue. `read`: what only the program's descriptor shows.
std::vector<SettingRow> optionRows(const SocketObservation& socket, const std::vector<HostChangeRow>& read);

/// Is it a size or a rate that a slider can cover?
bool hasSliderRange(SocketOption option);
/// What a slider has at this place, 0…1: even steps of the logarithm; buffers end at 64 MiB, larger ones are typed.
OptionValue optionAt(SocketOption option, double position);
/// Absent for what has no such range, and for "unlimited".
std::optional<double> positionOf(SocketOption option, const OptionValue& value);
/// As parseOptionChange() reads it: "4194304", "100000000bit", "unlimited".
QString typedValue(SocketOption option, const OptionValue& value);

/// The value of an option that these words give; absent where they give none.
std::optional<OptionValue> typedOption(const SettingRow& row, const QString& typed);
/// The change that these words ask for, or what is wrong with them.
Expected<SettingChange, QString> typedChange(const SettingRow& row, const QString& typed);

}  // namespace tcpscope
