// The experiments of a seed as one page for a browser, or as one figure: ours beside the paper's statements.
#pragma once

#include <string>

#include "core/present/json/lab_document.h"
#include "core/session/seed_comparison.h"

namespace tcpscope::lab {

struct SeedComparison {
  /// "2026-11-28 10:00 UTC, Linux 6.18": when and where.
  std::string conditions;
  /// The commands that make it again.
  std::vector<std::string> commands;
  /// Of all experiments, with the settings of kGentleAxes.
  std::vector<LabCell> cells;
  std::vector<SeedStatement> statements;
  std::vector<std::string> notes;
};

/// One file: no script, nothing from elsewhere, a content security policy that forbids both; light or dark as the
/// reader's system is, light on paper.
std::string toHtml(const SeedComparison& comparison);
/// The figures alone: utilization and fairness of each scenario.
std::string toSvg(const SeedComparison& comparison);

}  // namespace tcpscope::lab
