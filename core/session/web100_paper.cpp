#include "core/session/paper_catalogue.h"

namespace tcpscope::lab {

namespace {

/// Of 601 transfers; the mean is the middle of the printed interval.
LabCell printedCell(std::string client, double mean, double deviation, Interval interval, double median) {
  constexpr std::size_t kTransfers = 601;
  LabCell cell;
  cell.settings = {{"client", std::move(client)}};
  cell.runs = kTransfers;
  cell.figures = {{"goodput_bps", {kTransfers, mean, median, deviation, interval}}};
  return cell;
}

}  // namespace

Paper web100Paper() {
  PaperSection section;
  section.name = "Figure 6";
  section.title = "One client before and after tuning";
  section.printed =
      "Printed, of 601 transfers each: mistuned 11.73 to 11.94 Mbit/s (95 % interval of the mean), standard deviation "
      "1.31, median 12.4; tuned 40.6 to 42.1 Mbit/s, standard deviation 9.08, median 41.6. The printed means here, "
      "11.83 "
      "and 41.34 Mbit/s, are the middle of these intervals.";
  section.remark =
      "The path has the printed 100 Mbit/s, and the RTT of 20 ms that the printed tcpdump shows from SYN to SYN/ACK. "
      "The "
      "mistuned client's window is ours: 32,758 bytes, as in the printed SYN, give 13.1 Mbit/s, the order of the "
      "printed "
      "rate. The paper prints no loss rate of its path. It saw no loss before tuning, and losses after it; so the "
      "tuned "
      "client's path loses packets at random, as many as equation (1) needs for 41.34 Mbit/s: (C × MSS / (rate × "
      "RTT))² "
      "with C = 1.22 and an MSS of 1448 bytes is 0.0294 %, one packet in 3,400, and a third of the 0.1 % that section "
      "1.1 names for the Internet. Its congestion control is Reno, as in 2001. \"Tuned, no loss\" is the path without "
      "it, where only the queue drops packets: the link is the limit there.";
  section.experiments = {{"Mistuned", "web100_mistuned", {}, {{"client", "mistuned"}}},
                         {"Tuned", "web100_tuned_loss", {}, {{"client", "tuned"}}},
                         {"Tuned, no loss", "web100_tuned", {}, {{"client", "tuned, no loss"}}}};
  section.xLabel = "Client";
  PaperPlot plot;
  plot.title = "Throughput of each run before and after tuning";
  plot.figures = {{"goodput_bps", ""}};
  plot.yLabel = "Throughput (bit/s)";
  plot.kind = PaperPlotKind::runs;
  section.plots = {plot};
  section.printedCells = {printedCell("mistuned", 11.833e6, 1.3121e6, {11.728e6, 11.938e6}, 12.395e6),
                          printedCell("tuned", 41.34e6, 9.0751e6, {40.613e6, 42.067e6}, 41.578e6)};
  Paper paper;
  paper.number = "002";
  paper.title = "End-to-end tuning with Web100";
  paper.source =
      "Hacker, Athey and Sommerfield, \"Experiences Using Web100 for End-To-End Network Performance Tuning\", section "
      "4.";
  paper.kernel =
      "Today's hosts negotiate window scaling, timestamps and SACK, and tune receive buffers: the mistuned client of "
      "2000 has to be made, by sysctls and TCP_WINDOW_CLAMP.";
  paper.sections = {section};
  const std::vector<LabSetting> mistuned = {{"client", "mistuned"}};
  const std::vector<LabSetting> tuned = {{"client", "tuned"}};
  paper.statements = {
      {"Figure 6",
       "Tuning makes it about four times as fast (here judged as 3 to 5 times; the middles of the printed intervals "
       "give 3.5).",
       {"goodput_bps", tuned},
       {"goodput_bps", mistuned, 3.0},
       PaperTerm{"goodput_bps", mistuned, 5.0}},
      {"Figure 6", "The tuned client stays below 80 Mbit/s.", {"", {}, 1.0, 80e6}, {"goodput_bps", tuned}},
      {"Figure 6",
       "Derived here, not stated: over the loss that equation (1) needs for 41.3 Mbit/s, the tuned client reaches that "
       "rate (judged as 35 to 48 Mbit/s; with C = 1.31, as for random losses, the equation gives 44).",
       {"goodput_bps", tuned},
       {"", {}, 1.0, 35e6},
       PaperTerm{"", {}, 1.0, 48e6}},
  };
  paper.omissions = {
      {"Figures 1 to 5",
       "screens of Web100: tcpscope --demo web100_mistuned and --demo web100_tuned show such connections live; "
       "web100_tuned has no loss, web100_tuned_loss the loss derived for Figure 6"}};
  return paper;
}

}  // namespace tcpscope::lab
