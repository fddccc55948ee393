#include <fmt/format.h>

#include <array>

#include "core/session/seed_catalogue.h"

namespace tcpscope::lab {

namespace {

struct StatementRow {
  std::string_view text;
  std::string_view figure;
  std::string_view higher;
  std::string_view lower;
};

constexpr std::string_view kUtilization = "utilization_ratio";
constexpr std::string_view kFairness = "jain_fairness_ratio";
/// Sections 4.3 and 4.4, of each scenario.
constexpr std::array kGentleStatements = {
    StatementRow{"Parallel TCP utilizes the link better than gHSTCP.", kUtilization, "parallel Reno", "gHSTCP"},
    StatementRow{"gHSTCP utilizes the link better than TCP Reno.", kUtilization, "gHSTCP", "Reno"},
    StatementRow{"gHSTCP utilizes the link better than HSTCP.", kUtilization, "gHSTCP", "HSTCP"},
    StatementRow{"gHSTCP is fairer to Reno than HSTCP.", kFairness, "gHSTCP", "HSTCP"},
    StatementRow{"gHSTCP is fairer to Reno than parallel TCP.", kFairness, "gHSTCP", "parallel Reno"},
    StatementRow{"Parallel TCP is less fair to Reno than HSTCP.", kFairness, "HSTCP", "parallel Reno"},
};

SeedSection gentleSection(std::string_view figure, std::string_view link, unsigned first, std::string_view suffix,
                          std::string_view shares) {
  struct Kind {
    std::string_view flow;
    std::string_view scenario;
  };
  constexpr std::array kKinds = {Kind{"Reno", "reno"}, Kind{"HSTCP", "highspeed"}, Kind{"parallel Reno", "parallel"},
                                 Kind{"gHSTCP", "gentle"}};
  SeedSection section;
  section.name = figure;
  section.title = fmt::format("Flow-1 of each kind over {}", link);
  section.printed = fmt::format("Fair throughput (Table 1): {}", shares);
  section.axes = {{"window_two", "window of Flow-2", {{"64k", "64 KB"}, {"512k", "512 KB"}}}};
  section.xLabel = "Flow-1, against two Reno connections with windows of 64 or 512 KB";
  unsigned number = first;
  for (const Kind& kind : kKinds) {
    section.experiments.push_back({fmt::format("Experiment {}", number++),
                                   fmt::format("{}_against_reno_{}", kind.scenario, suffix),
                                   {},
                                   {{"Flow-1", std::string(kind.flow)}}});
    section.experiments.back().needsRoot = kind.scenario == "highspeed" || kind.scenario == "gentle";
  }
  section.plots = {
      {"Link utilization", {{"utilization_ratio", ""}}, "Link utilization", false},
      {"Jain's fairness index over max-min shares", {{"jain_fairness_ratio", ""}}, "Jain's fairness index", false},
      {"Throughput of Flow-1", {{"goodput_bps.flow_one", ""}}, "Throughput of Flow-1 (bit/s)", false},
      {"Throughput of Flow-2", {{"goodput_bps.flow_two", ""}}, "Throughput of both connections (bit/s)", false},
  };
  return section;
}

}  // namespace

Seed gentleSeed() {
  Seed seed;
  seed.number = "003";
  seed.title = "Gentle HighSpeed TCP";
  seed.paper =
      "Zhang, Hasegawa and Murata, \"Experimental Evaluations of Gentle HighSpeed TCP for Long-Fat Networks\", "
      "sections 4.3 and 4.4. One flow of each kind shares a link of 23 ms each way with two Reno connections. The "
      "paper draws its results and prints no numbers with them, so that its sentences are compared, with windows of "
      "512 KB.";
  seed.kernel =
      "Today's kernel repairs bursts of losses by SACK and RACK-TLP where hosts of 2005 often waited for a timeout, "
      "which favours what loses many packets at once: HSTCP and parallel TCP.";
  seed.sections = {
      gentleSection(
          "Figure 7", "100 Mbit/s", 1, "100mbit",
          "76 Mbit/s for Flow-1 and 12 for each connection of Flow-2 with 64 KB; 33 Mbit/s for each with 512 KB."),
      gentleSection("Figure 8", "200 Mbit/s", 5, "200mbit",
                    "176 Mbit/s for Flow-1 and 12 for each connection of Flow-2 with 64 KB; 100 and 50 Mbit/s with 512 "
                    "KB."),
  };
  for (const SeedSection& section : seed.sections) {
    for (const StatementRow& row : kGentleStatements) {
      const auto term = [&](std::string_view flow) {
        return SeedTerm{std::string(row.figure), {{"Flow-1", std::string(flow)}, {"window of Flow-2", "512 KB"}}};
      };
      seed.statements.push_back({section.name, std::string(row.text), term(row.higher), term(row.lower)});
    }
  }
  seed.omissions = {
      {"Figures 1 and 2", "rough sketches of congestion windows"},
      {"Figure 3", "a drawing of the topology"},
      {"Figures 4, 5 and 6",
       "the congestion window of one connection over time: lab record gentle_against_reno_100mbit and the window's "
       "time plots show it"},
      {"Table 1", "computed: the shares that Jain's index is taken over"},
  };
  return seed;
}

}  // namespace tcpscope::lab
