#include <fmt/format.h>

#include <array>

#include "core/base/random_stream.h"
#include "core/session/paper_catalogue.h"

namespace tcpscope::lab {

namespace {

constexpr std::size_t kSendersOfRandomPaths = 8;

/// The settings of Figure 7, each changed alone: what the effect depends on.
struct PacingCondition {
  std::string_view name;
  std::string_view sentence;
  std::vector<LabSetting> changes;
};

std::vector<PacingCondition> pacingConditions() {
  return {
      {"as printed", "as printed", {}},
      {"⅛ BDP", "queue of 1/8 BDP", {{"path.queue", "78 kB"}}},
      {"2 BDP", "queue of 2 BDP", {{"path.queue", "1250 kB"}}},
      {"10 ms", "RTT of 10 ms", {{"path.delay", "5 ms"}, {"path.queue", "125 kB"}}},
      {"200 ms", "RTT of 200 ms", {{"path.delay", "100 ms"}, {"path.queue", "2500 kB"}}},
      {"4 + 4 flows", "4 flows of each kind", {{"traffic.paced.streams", "4"}, {"traffic.window.streams", "4"}}},
      {"paced 100 %", "paced at 100 % of cwnd / RTT", {{"host.sender.net.ipv4.tcp_pacing_ca_ratio", "100"}}},
  };
}

PaperSection lossIntervalSection() {
  PaperSection section;
  section.name = "Figure 2";
  section.title = "Intervals between drops over random paths";
  section.printed =
      "Printed, from NS-2: more than 95 % of the losses within 0.01 RTT of the one before, far from the Poisson "
      "process of the same rate.";
  section.remark =
      "Each run has a path of its own: eight senders of two Reno flows, RTTs drawn evenly from 2 to 200 ms, a "
      "drop-tail queue of 1/8, 1/4, 1/2, 1 or 2 bandwidth-delay products, 100 Mbit/s. Intervals are in units of the "
      "mean RTT of a run's senders and merged over the runs; the ± is over paths.";
  section.experiments = {{"Random paths", "random_paths", {}, {{"paths", "merged"}}, false, PathDraw::randomRtts}};
  section.drawsLossIntervals = true;
  return section;
}

PaperSection fourRttSection() {
  PaperSection section;
  section.name = "Figure 3";
  section.title = "Intervals between drops, four RTTs";
  section.printed =
      "Printed, from Dummynet: about 80 % of the losses within 0.01 RTT of the one before. Its clock has 1 ms.";
  section.remark =
      "As for Figure 2, with RTTs of 2, 10, 50 and 200 ms for two senders each. Drops are timed to the microsecond "
      "here: 0.01 of the mean RTT is 0.66 ms, less than a tick of the paper's clock, so that its share holds the "
      "drops of one tick.";
  section.experiments = {{"Four RTTs", "random_paths", {}, {{"paths", "merged"}}, false, PathDraw::fourRtts}};
  section.drawsLossIntervals = true;
  return section;
}

PaperSection pacingSection() {
  PaperSection section;
  section.name = "Figure 7";
  section.title = "Paced flows against window-based ones";
  section.printed =
      "Printed: 16 flows of TCP Pacing get 17 % less than 16 flows of NewReno, which share 100 Mbit/s and 50 ms with "
      "them; the same with other RTTs and numbers of flows.";
  section.remark =
      "\"As printed\" has a queue of one bandwidth-delay product (625 kB), which the paper does not print. Each other "
      "condition changes one setting; with another RTT, the queue stays one bandwidth-delay product. The kernel paces "
      "Reno in congestion avoidance at 120 % of cwnd / RTT (net.ipv4.tcp_pacing_ca_ratio); \"paced 100 %\" takes this "
      "margin away. The notes report how many flows of each kind a loss event hit.";
  for (const PacingCondition& one : pacingConditions()) {
    section.experiments.push_back({fmt::format("Pacing, {}", one.sentence),
                                   "paced_against_window",
                                   one.changes,
                                   {{"condition", std::string(one.name)}}});
  }
  section.xLabel = "Condition";
  section.plots = {{"Aggregate throughput of each kind",
                    {{"goodput_bps.paced", "paced"}, {"goodput_bps.window", "window-based"}},
                    "Throughput (bit/s)",
                    false}};
  return section;
}

PaperSection parallelSection() {
  PaperSection section;
  section.name = "Figure 8";
  section.title = "64 MB in parallel streams";
  section.printed =
      "Printed: a lower bound of 5.39 s over 100 Mbit/s; at an RTT of 200 ms from 11 to 50 s, with a standard "
      "deviation at 4 streams that does not fit into the figure. The time depends on how many streams leave slow start "
      "early.";
  section.remark =
      "64 MB (64,000,000 bytes) at 1448 bytes of data in each packet of 1500 take 5.30 s: this is 1 in the figure. The "
      "printed 5.39 s would be 64 MiB without headers (5.37 s). Bars: one standard deviation of the runs, as in the "
      "paper.";
  section.experiments = {{"Parallel streams", "parallel_64mb", {{"path.delay", "25 ms, 100 ms"}}, {}, true}};
  section.axes = {{"path.delay", "RTT", {{"25 ms", "50 ms"}, {"100 ms", "200 ms"}}}, {"flows", "streams", {}}};
  section.xLabel = "Parallel streams";
  constexpr double kBoundSeconds = 64e6 * 8.0 / 100e6 * 1500.0 / 1448.0;
  PaperPlot plot{"Time until the last stream ends", {{"completion_s", ""}}, "Multiple of the lower bound"};
  plot.unit = kBoundSeconds;
  plot.showsDeviation = true;
  plot.bound = PlotBound{1.0, "lower bound, 5.30 s"};
  section.plots = {plot};
  return section;
}

PaperStatement pacingStatement(const PacingCondition& condition) {
  const std::vector<LabSetting> where = {{"condition", std::string(condition.name)}};
  return {"Figure 7",
          fmt::format("Paced flows get less than window-based ones ({}).", condition.sentence),
          {"goodput_bps.window", where},
          {"goodput_bps.paced", where}};
}

PaperStatement latencyStatement(std::string_view streams) {
  return {
      "Figure 8",
      fmt::format("At 200 ms, the transfer takes 11 to 50 s ({} {}).", streams, streams == "1" ? "stream" : "streams"),
      {"completion_s", {{"RTT", "200 ms"}, {"streams", std::string(streams)}}},
      {"", {}, 1.0, 11.0},
      PaperTerm{"", {}, 1.0, 50.0}};
}

}  // namespace

std::vector<LabSetting> drawnPath(PathDraw draw, std::uint64_t number) {
  constexpr std::uint64_t kPurpose = 0x72616e64;
  constexpr std::array<double, 5> kQueues = {0.125, 0.25, 0.5, 1.0, 2.0};
  constexpr double kShortestRttMs = 2.0;
  constexpr double kLongestRttMs = 200.0;
  constexpr std::array<double, 4> kFourRttsMs = {2.0, 10.0, 50.0, 200.0};
  RandomStream random(number, kPurpose);
  std::vector<LabSetting> settings;
  double sum = 0.0;
  for (std::size_t sender = 1; sender <= kSendersOfRandomPaths; ++sender) {
    const double rttMs = draw == PathDraw::fourRtts ? kFourRttsMs[sender % kFourRttsMs.size()]
                                                    : kShortestRttMs + (kLongestRttMs - kShortestRttMs) * random.unit();
    sum += rttMs;
    settings.push_back({fmt::format("access.s{}.delay", sender), fmt::format("{:.1f} ms", rttMs / 2.0)});
  }
  const double meanRttMs = sum / static_cast<double>(kSendersOfRandomPaths);
  // 100 Mbit/s are 12.5 kB a millisecond.
  const double queueKb = kQueues[random.below(kQueues.size())] * meanRttMs * 12.5;
  settings.push_back({"path.queue", fmt::format("{:.0f} kB", queueKb)});
  settings.push_back({"seed", fmt::format("{}", number)});
  return settings;
}

Paper lossBurstPaper() {
  Paper paper;
  paper.number = "004";
  paper.title = "Packet loss burstiness";
  paper.source =
      "Wei, Cao and Low, \"Packet Loss Burstiness: Measurements and Implications for Distributed Applications\", 2007, "
      "sections 3 and 4.";
  paper.kernel =
      "The paper simulates NewReno in NS-2. Today's kernel spreads what it sends: ACK clocking with small bursts (TSO "
      "autosizing), SACK and RACK-TLP instead of timeouts, HyStart only for CUBIC. Flows without pacing are less "
      "bunched than the paper's.";
  paper.sections = {lossIntervalSection(), fourRttSection(), pacingSection(), parallelSection()};
  paper.statements.push_back({"Figure 2",
                              "More than 95 % of the drops follow within 0.01 RTT.",
                              {"drops_within_hundredth_rtt_ratio", {}},
                              {"", {}, 1.0, 0.95}});
  paper.statements.push_back({"Figure 3",
                              "About 80 % of the drops follow within 0.01 RTT (here judged as 70 to 90 %).",
                              {"drops_within_hundredth_rtt_ratio", {}},
                              {"", {}, 1.0, 0.7},
                              PaperTerm{"", {}, 1.0, 0.9}});
  for (const PacingCondition& one : pacingConditions()) paper.statements.push_back(pacingStatement(one));
  // The paper's range is of the whole curve.
  for (const std::string_view streams : {"1", "2", "4", "8", "16", "32"}) {
    paper.statements.push_back(latencyStatement(streams));
  }
  paper.statements.push_back({"Figure 8",
                              "Four streams take longer at 200 ms than at 50 ms.",
                              {"completion_s", {{"RTT", "200 ms"}, {"streams", "4"}}},
                              {"completion_s", {{"RTT", "50 ms"}, {"streams", "4"}}}});
  paper.omissions = {
      {"Figure 1", "a drawing of the topology"},
      {"Figure 4, Table 1", "PlanetLab: tcpscope-cli probe HOST measures a path of yours the same way"},
      {"Figures 5 and 6", "drawings; the notes of Figure 7 count the flows that loss events hit"},
  };
  return paper;
}

}  // namespace tcpscope::lab
