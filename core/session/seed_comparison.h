// The experiments of the paper on gentle HighSpeed TCP (Zhang, Hasegawa, Murata) beside its statements: which of them
// the lab's runs confirm.
//
// The paper draws its results (Figures 7 and 8) and prints no numbers with them: what can be compared are its
// sentences, and Table 1, the fair shares that Jain's index is taken over.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/session/lab_figures.h"

namespace tcpscope::lab {

struct SeedExperiment {
  /// The paper's number.
  std::uint32_t number = 0;
  std::string_view scenario;
  std::string_view bottleneck;
  /// What Flow-1 uses.
  std::string_view flow;
};

inline constexpr std::array kGentleExperiments = {
    SeedExperiment{1, "reno_against_reno_100mbit", "100 Mbit/s", "Reno"},
    SeedExperiment{2, "highspeed_against_reno_100mbit", "100 Mbit/s", "HSTCP"},
    SeedExperiment{3, "parallel_against_reno_100mbit", "100 Mbit/s", "parallel Reno"},
    SeedExperiment{4, "gentle_against_reno_100mbit", "100 Mbit/s", "gHSTCP"},
    SeedExperiment{5, "reno_against_reno_200mbit", "200 Mbit/s", "Reno"},
    SeedExperiment{6, "highspeed_against_reno_200mbit", "200 Mbit/s", "HSTCP"},
    SeedExperiment{7, "parallel_against_reno_200mbit", "200 Mbit/s", "parallel Reno"},
    SeedExperiment{8, "gentle_against_reno_200mbit", "200 Mbit/s", "gHSTCP"},
};

/// The settings of a cell, in this order; each cell has them all.
inline constexpr std::array<std::string_view, 3> kGentleAxes = {"bottleneck", "flow_1", "window_of_flow_2"};

/// A cell of an experiment's campaign, whose only axis is the window of Flow-2, with the experiment's own settings
/// before it.
LabCell comparedCell(const SeedExperiment& experiment, LabCell cell);

enum class StatementOutcome : std::uint8_t {
  /// The 95 % intervals of both means are apart, in the statement's order.
  confirmed,
  /// They are apart in the other order.
  contradicted,
  /// They overlap, or there are not the runs for intervals.
  undecided,
  /// Without both figures.
  notMeasured,
};

std::string_view name(StatementOutcome outcome);

struct SeedStatement {
  std::string_view bottleneck;
  std::string_view text;
  /// Of the cells: utilization_ratio or jain_fairness_ratio, with 512 KB.
  std::string_view figure;
  std::string_view higher;
  std::string_view lower;
  StatementOutcome outcome = StatementOutcome::notMeasured;
};

/// The paper's statements on Figures 7 and 8, judged by these cells.
std::vector<SeedStatement> judgeGentleStatements(const std::vector<LabCell>& cells);

}  // namespace tcpscope::lab
