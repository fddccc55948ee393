#include <fmt/format.h>

#include <array>

#include "core/session/paper_catalogue.h"

namespace tcpscope::lab {

namespace {

const PaperAxis kAutotuning = {"auto_tuning", "receive buffer", {{"off", "autotuning off"}, {"on", "autotuning on"}}};
const PaperAxis kStreams = {"flows", "streams", {}};

PaperPlot throughputPlot(std::string_view title) {
  return {std::string(title), {{"goodput_bps", ""}}, "Throughput (bit/s)"};
}

/// Of several hosts, each under its name and a label.
PaperPlot memoryPlot(const std::vector<std::pair<std::string, std::string>>& hosts) {
  constexpr double kMebibyte = 1048576.0;
  PaperPlot plot{"Memory of the sockets", {}, "Memory of the sockets (MiB)"};
  for (const auto& [host, label] : hosts) plot.figures.emplace_back("socket_memory_peak_bytes." + host, label);
  plot.unit = kMebibyte;
  return plot;
}

PaperPlot processorPlot(const std::vector<std::pair<std::string, std::string>>& hosts) {
  PaperPlot plot{"Processor time of the programs", {}, "Processor time (of one processor)"};
  for (const auto& [host, label] : hosts) plot.figures.emplace_back("cpu_ratio." + host, label);
  return plot;
}

const std::vector<std::pair<std::string, std::string>> kBothHosts = {{"sender", "sender"}, {"receiver", "receiver"}};

PaperSection messageSection(std::string_view figure, std::string_view tuning, std::string_view delay,
                            std::string_view title, std::string_view printed) {
  PaperSection section;
  section.name = figure;
  section.title = title;
  section.printed = printed;
  section.experiments = {{std::string(figure),
                          "message_matrix",
                          {{"tuning", std::string(tuning)}, {"path.delay", std::string(delay)}},
                          {}}};
  section.axes = {kAutotuning, kStreams};
  section.xLabel = "Parallel streams";
  section.plots = {throughputPlot(title), memoryPlot(kBothHosts), processorPlot(kBothHosts)};
  return section;
}

/// One host with four others, of which each has a path of its own.
PaperSection manySection(std::string_view topology, std::string_view scenario, std::string_view title,
                         std::string_view one, std::string_view many) {
  constexpr std::array<std::array<std::string_view, 2>, 4> kPaths = {
      {{"0_5ms", "0.5 ms"}, {"25ms", "25 ms"}, {"50ms", "50 ms"}, {"100ms", "100 ms"}}};
  PaperSection section;
  section.name = fmt::format("Section 3.2, {}", topology);
  section.title = title;
  section.printed =
      "Printed: no experiment; its results can be inferred from memory and processor time, because the one host splits "
      "its resources among all flows and each of the many has them for one.";
  section.experiments = {{std::string(section.name), std::string(scenario), {}, {}}};
  section.axes = {
      {"tuning", "buffers", {{"off", "autotuning off"}, {"on", "autotuning on"}, {"by_hand", "8 MiB each"}}}};
  section.xLabel = "Buffers";
  PaperPlot rates{"Throughput of each path", {}, "Throughput (bit/s)"};
  std::vector<std::pair<std::string, std::string>> hosts = {{std::string(one), std::string(one)}};
  for (const auto& [id, rtt] : kPaths) {
    rates.figures.emplace_back(fmt::format("goodput_bps.rtt_{}", id), fmt::format("RTT {}", rtt));
    hosts.emplace_back(fmt::format("{}_{}", many, id), fmt::format("{}, {}", many, rtt));
  }
  section.plots = {rates, memoryPlot(hosts), processorPlot(hosts)};
  for (PaperPlot& plot : section.plots) plot.joinsPoints = false;
  return section;
}

PaperSection bufferSection() {
  PaperSection section;
  section.name = "Figure 5";
  section.title = "Buffers of fixed size, 0.5 ms";
  section.printed =
      "Printed: the peak is near 1 MB, far above the 64 KB of the bandwidth-delay product, because scheduling and "
      "bursts need buffers, too.";
  section.experiments = {
      {"Figure 5", "buffer_sizes", {{"flows", "1, 8"}, {"buffer", "8k, 32k, 64k, 128k, 256k, 1m, 4m, 16m, 64m"}}, {}}};
  section.axes = {{"flows", "streams", {{"1", "1 stream"}, {"8", "8 streams"}}}, {"buffer", "buffer", {}}};
  section.xLabel = "Buffer of a stream at both hosts";
  section.plots = {throughputPlot(section.title), memoryPlot(kBothHosts), processorPlot(kBothHosts)};
  return section;
}

PaperStatement streamsStatement(std::string_view figure, std::string_view text, std::string_view autotuning,
                                std::string_view more, std::string_view fewer) {
  const auto where = [&](std::string_view streams) {
    return std::vector<LabSetting>{{"receive buffer", "autotuning " + std::string(autotuning)},
                                   {"streams", std::string(streams)}};
  };
  return {std::string(figure), std::string(text), {"goodput_bps", where(more)}, {"goodput_bps", where(fewer)}};
}

PaperStatement autotuningStatement(std::string_view figure, std::string_view text, double factor) {
  const auto where = [](std::string_view autotuning) {
    return std::vector<LabSetting>{{"receive buffer", "autotuning " + std::string(autotuning)}, {"streams", "1"}};
  };
  return {std::string(figure), std::string(text), {"goodput_bps", where("on")}, {"goodput_bps", where("off"), factor}};
}

}  // namespace

Paper bufferTuningPaper() {
  Paper paper;
  paper.number = "000";
  paper.title = "Automatic buffer tuning";
  paper.source =
      "Weigle and Feng, \"A Comparison of TCP Automatic Tuning Techniques for Distributed Computing\": "
      "128 messages of 1 MB over 1 Gbit/s, from the first start to the last end.";
  paper.kernel =
      "The kernel's receive autotuning of today is the paper's Dynamic Right-Sizing; it cannot be exchanged for Linux "
      "2.4's, only be switched off (net.ipv4.tcp_moderate_rcvbuf), which is compared here. Untuned hosts are made: "
      "buffers of at most 128 KB, half of it window, as 64 KB were then. A run that is too short for the transfer "
      "counts the rate until then, slow start included. Memory is what the sockets of a host held together at most; "
      "processor time is that of its programs, user and system, without what the kernel does for packets that arrive.";
  paper.sections = {
      messageSection("Figure 2", "untuned", "0.25 ms", "No tuning, 0.5 ms",
                     "Printed: parallel streams improve throughput by 55 to 70 %; the adapters allow 800 Mbit/s."),
      messageSection("Figure 3", "raised", "0.25 ms", "Increased limits, 0.5 ms",
                     "Printed: Dynamic Right-Sizing is better with one or two streams and worse with more."),
      messageSection("Figure 4", "by_hand", "0.25 ms", "Buffers set by hand, 0.5 ms",
                     "Printed: both autotunings of Linux 2.4 perform the same."),
      bufferSection(),
      messageSection(
          "Figure 6", "untuned", "12.5 ms, 25 ms, 50 ms", "No tuning, 25, 50 and 100 ms",
          "Printed: less than 20 Mbit/s for one stream at 25 ms, and rates in Mbit/s of streams × 214 (Linux "
          "2.2), 467 (2.4) and 355 (Dynamic Right-Sizing) / RTT in ms."),
      messageSection("Figure 7", "raised", "12.5 ms", "Increased limits, 25 ms",
                     "Printed: Dynamic Right-Sizing improves dramatically, and falls with more streams."),
      messageSection("Figure 8", "by_hand", "12.5 ms", "Buffers set by hand, 25 ms",
                     "Printed: Dynamic Right-Sizing is up to 150 Mbit/s faster."),
      messageSection("Figure 9", "raised", "50 ms", "Increased limits, 100 ms",
                     "Printed: Dynamic Right-Sizing is 5 to 15 times as fast; 180 Mbit/s with 8 streams."),
      messageSection("Figure 10", "by_hand", "50 ms", "Buffers set by hand, 100 ms",
                     "Printed: no difference between the two; slow start and congestion avoidance decide."),
      manySection("one to many", "one_to_many", "One sender, four receivers", "sender", "receiver"),
      manySection("many to one", "many_to_one", "Four senders, one receiver", "receiver", "sender"),
  };
  PaperSection& untuned = paper.sections[4];
  untuned.fitsRateEquation = true;
  // Three RTTs for each of both hosts would be twelve lines.
  untuned.plots.resize(1);
  untuned.axes.insert(untuned.axes.begin(),
                      {"path.delay", "RTT", {{"12.5 ms", "25 ms"}, {"25 ms", "50 ms"}, {"50 ms", "100 ms"}}});
  std::vector<LabSetting> oneStream = {{"RTT", "25 ms"}, {"receive buffer", "autotuning on"}, {"streams", "1"}};
  paper.statements = {
      streamsStatement("Figure 2", "Parallel streams are faster than one, untuned at 0.5 ms.", "on", "8", "1"),
      streamsStatement("Figure 3", "Autotuning falls with more streams at 0.5 ms.", "on", "1", "8"),
      {"Figure 5",
       "1 MB are better than the bandwidth-delay product of 64 KB.",
       {"goodput_bps", {{"streams", "1 stream"}, {"buffer", "1m"}}},
       {"goodput_bps", {{"streams", "1 stream"}, {"buffer", "64k"}}}},
      {"Figure 6",
       "One untuned stream gets less than 20 Mbit/s at 25 ms.",
       {"", {}, 1.0, 20e6},
       {"goodput_bps", oneStream}},
      autotuningStatement("Figure 7", "With increased limits, autotuning is faster at 25 ms.", 1.0),
      streamsStatement("Figure 7", "Autotuning falls with more streams at 25 ms.", "on", "1", "8"),
      autotuningStatement("Figure 9", "With increased limits, autotuning is at least 5 times as fast at 100 ms.", 5.0),
  };
  paper.omissions = {
      {"Figure 1", "a drawing of the topology"},
      {"Table 1", "a comparison in words"},
      {"Linux 2.2 and 2.4", "their autotuning is no part of today's kernel; off and on are compared instead"},
  };
  return paper;
}

}  // namespace tcpscope::lab
