#include <fmt/format.h>

#include <array>

#include "core/session/paper_catalogue.h"

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

PaperSection gentleSection(std::string_view figure, std::string_view link, unsigned first, std::string_view suffix,
                           std::string_view shares) {
  struct Kind {
    std::string_view flow;
    std::string_view scenario;
  };
  constexpr std::array kKinds = {Kind{"Reno", "reno"}, Kind{"HSTCP", "highspeed"}, Kind{"parallel Reno", "parallel"},
                                 Kind{"gHSTCP", "gentle"}};
  PaperSection section;
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

PaperSection windowSection() {
  PaperSection section;
  section.name = "Figures 1, 2, 4 to 6";
  section.title = "Congestion window of one flow alone, 200 Mbit/s";
  section.printed =
      "Printed: 90 s over 200 Mbit/s, a bandwidth-delay product of 770 packets and a queue of 137. The original "
      "algorithm changes its mode all the time, and fills the link slowly; the refined one is in HSTCP mode below the "
      "bandwidth-delay product, and in Reno mode above. The RTT stays near its minimum below it. Figures 1 and 2 are "
      "sketches of the same for Reno, HSTCP and gHSTCP.";
  section.remark =
      "Window and smoothed RTT of the last run, 180 points each. The delay is 23 ms, as in section 4, instead of the "
      "printed 22 ms, so that the bandwidth-delay product is 767 packets. The kernel does not export the mode: a "
      "window "
      "that grows by one segment per RTT is in Reno mode. The window follows slow start at first, where today's kernel "
      "leaves it at the first loss.";
  struct Kind {
    std::string_view flow;
    std::string_view control;
  };
  constexpr std::array kKinds = {Kind{"gHSTCP, original", "ghstcp_orig"}, Kind{"gHSTCP, refined", "ghstcp"},
                                 Kind{"HSTCP", "hstcp"}, Kind{"Reno", "reno"}};
  for (const Kind& kind : kKinds) {
    section.experiments.push_back({fmt::format("{} alone", kind.flow),
                                   "gentle_alone",
                                   {{"traffic.flow.congestion_control", std::string(kind.control)}},
                                   {{"flow", std::string(kind.flow)}}});
    section.experiments.back().needsRoot = kind.control != "reno";
  }
  section.xLabel = "Flow";
  section.plots = {{"Link utilization", {{"utilization_ratio", ""}}, "Link utilization", false}};
  section.drawsWindows = true;
  return section;
}

PaperSection streamsSection() {
  PaperSection section;
  section.name = "Section 4.4";
  section.title = "Number of parallel Reno connections";
  section.printed =
      "Not printed \"due to limited space\": too few connections do not fill the link, too many are unfair to the "
      "competing flows, and a suitable number is difficult to choose.";
  section.remark =
      "Flow-1 is so many Reno connections with windows of 64 KB, against two Reno connections with windows of 512 KB. "
      "The best number is judged here by the product of link utilization and Jain's fairness index.";
  for (const std::string_view link : {"100", "200"}) {
    section.experiments.push_back({fmt::format("Streams over {} Mbit/s", link),
                                   fmt::format("parallel_against_reno_{}mbit", link),
                                   {{"window_two", "512k"}, {"traffic.flow_one.streams", "1, 2, 4, 8, 12, 16, 24, 32"}},
                                   {{"link", fmt::format("{} Mbit/s", link)}}});
  }
  section.axes = {{"traffic.flow_one.streams", "streams", {}}};
  section.xLabel = "Parallel connections of Flow-1";
  section.plots = {
      {"Link utilization", {{"utilization_ratio", ""}}, "Link utilization"},
      {"Jain's fairness index over max-min shares", {{"jain_fairness_ratio", ""}}, "Jain's fairness index"},
      {"Product of both", {{"utilization_fairness_ratio", ""}}, "Utilization × fairness"},
  };
  section.optimum = {"streams", "utilization_fairness_ratio", "link utilization × Jain's fairness index"};
  return section;
}

/// Section 4.4's last paragraph, of each link.
std::vector<PaperStatement> streamsStatements() {
  std::vector<PaperStatement> statements;
  for (const std::string_view link : {"100 Mbit/s", "200 Mbit/s"}) {
    const auto term = [&](std::string_view figure, std::string_view streams) {
      return PaperTerm{std::string(figure), {{"link", std::string(link)}, {"streams", std::string(streams)}}};
    };
    statements.push_back({"Section 4.4", fmt::format("Few connections do not fill the link (8 against 2, {}).", link),
                          term(kUtilization, "8"), term(kUtilization, "2")});
    statements.push_back({"Section 4.4", fmt::format("Too many connections are unfair (8 against 32, {}).", link),
                          term(kFairness, "8"), term(kFairness, "32")});
  }
  return statements;
}

}  // namespace

Paper gentlePaper() {
  Paper paper;
  paper.number = "003";
  paper.title = "Gentle HighSpeed TCP";
  paper.source =
      "Zhang, Hasegawa and Murata, \"Experimental Evaluations of Gentle HighSpeed TCP for Long-Fat Networks\", "
      "sections 4.3 and 4.4. One flow of each kind shares a link of 23 ms each way with two Reno connections. The "
      "paper draws its results and prints no numbers with them, so that its sentences are compared, with windows of "
      "512 KB.";
  paper.kernel =
      "Today's kernel repairs bursts of losses by SACK and RACK-TLP where hosts of 2005 often waited for a timeout, "
      "which favours what loses many packets at once: HSTCP and parallel TCP.";
  paper.sections = {
      windowSection(),
      gentleSection(
          "Figure 7", "100 Mbit/s", 1, "100mbit",
          "76 Mbit/s for Flow-1 and 12 for each connection of Flow-2 with 64 KB; 33 Mbit/s for each with 512 KB."),
      gentleSection("Figure 8", "200 Mbit/s", 5, "200mbit",
                    "176 Mbit/s for Flow-1 and 12 for each connection of Flow-2 with 64 KB; 100 and 50 Mbit/s with 512 "
                    "KB."),
      streamsSection(),
  };
  for (const PaperSection& section : paper.sections) {
    if (!section.name.starts_with("Figure ")) continue;
    for (const StatementRow& row : kGentleStatements) {
      const auto term = [&](std::string_view flow) {
        return PaperTerm{std::string(row.figure), {{"Flow-1", std::string(flow)}, {"window of Flow-2", "512 KB"}}};
      };
      paper.statements.push_back({section.name, std::string(row.text), term(row.higher), term(row.lower)});
    }
  }
  const std::vector<PaperStatement> ofStreams = streamsStatements();
  paper.statements.insert(paper.statements.end(), ofStreams.begin(), ofStreams.end());
  paper.omissions = {
      {"Figure 3", "a drawing of the topology"},
      {"Table 1", "computed: the shares that Jain's index is taken over"},
  };
  return paper;
}

}  // namespace tcpscope::lab
