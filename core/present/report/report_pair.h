// Two reports side by side, each with the connection that carries most in it: one transfer before something was done
// and after, on two hosts, or over two paths.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/present/report/report_model.h"

namespace tcpscope {

struct ReportPair {
  ReportModel first;
  ReportModel second;
  /// Of blocks of goodput in bit/s, the first's before the second's; absent where too little was seen of one.
  std::optional<SampleComparison> goodput;

  /// Of the connections that carry most; nothing where one of the reports has none.
  [[nodiscard]] std::optional<bool> isSameVerdict() const;
};

ReportPair pairOf(ReportModel first, ReportModel second);

/// One setting of the hosts; absent on the side that does not report it.
struct PairedSetting {
  std::string key;
  std::optional<std::string> first;
  std::optional<std::string> second;
};

/// Settings with different values at the hosts of the two connections; without settings of one side nothing is
/// compared.
std::vector<PairedSetting> differentSettings(const ReportPair& pair);
/// True when both hosts reported their settings.
bool knowsSettings(const ReportPair& pair);

}  // namespace tcpscope
