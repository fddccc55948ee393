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

/// One setting of the hosts; absent on the side where it was not told.
struct PairedSetting {
  std::string key;
  std::optional<std::string> first;
  std::optional<std::string> second;
};

/// Settings with one value here and another one there, of the places of the two connections; a side that told none is
/// not compared.
std::vector<PairedSetting> differentSettings(const ReportPair& pair);
/// Did both places tell their settings?
bool knowsSettings(const ReportPair& pair);

}  // namespace tcpscope
