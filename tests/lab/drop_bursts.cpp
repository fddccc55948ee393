// How clustered the lab's drops are, beside what routers, emulators and probes have shown: runs scenarios, reads the
// log of the path, and prints the shares of the drops within 0.01 and 1 RTT of the one before. `drop_bursts
// SCENARIO… [--for SECONDS] [--log FOLDER]`; a log is written as tests/data/drops keeps it.
#include <fmt/format.h>
#include <fmt/os.h>

#include <cstdio>
#include <map>
#include <thread>

#include "app/lab/engine/lab_engine.h"
#include "app/lab/engine/lab_process.h"
#include "app/lab/run/lab_measurement.h"
#include "app/lab/scenario/scenario_catalogue.h"
#include "app/lab/scenario/scenario_parser.h"
#include "core/present/text/flow_text.h"
#include "core/present/text/lab_text.h"
#include "core/wire/loss/loss_summary.h"

namespace tcpscope::lab {
namespace {

struct Options {
  std::vector<std::string> scenarios;
  int seconds = 10;
  std::string logFolder;
};

std::string percent(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:5.1f} %", *ratio * 100) : std::string("      -");
}

void writeLog(const std::string& file, const std::vector<PathEvent>& drops, Moment start) {
  auto out = fmt::output_file(file);
  out.print("time_s,flow,sequence\n");
  std::map<Endpoint, std::size_t> flows;
  for (const PathEvent& drop : drops) {
    const std::size_t flow = flows.emplace(drop.source, flows.size() + 1).first->second;
    out.print("{:.6f},{},{}\n", toSeconds(drop.time - start), flow, drop.sequence);
  }
}

bool runOne(const std::string& name, const Options& options) {
  const BundledScenario* const bundled = findScenario(name);
  const auto scenario = parseScenario(bundled == nullptr ? std::string_view() : bundled->text);
  if (!scenario) {
    fmt::print("{}: no such scenario\n", name);
    return false;
  }
  const auto lab = LabProcess::start(*scenario);
  if (!lab) {
    fmt::print("{}: {}\n", name, sentence(lab.error()));
    return false;
  }
  // The span that is measured, as asked for.
  std::this_thread::sleep_for(std::chrono::seconds(options.seconds));
  std::vector<PathEvent> drops = (*lab)->events();
  std::erase_if(drops, [](const PathEvent& event) { return !isDrop(event.kind); });
  std::vector<Moment> times;
  times.reserve(drops.size());
  for (const PathEvent& drop : drops) times.push_back(drop.time);
  const Nanoseconds rtt = baseRtt(scenario->path, "sender", "receiver");
  const LossSummary summary = summarizeDropLog(times, rtt);
  fmt::print("{:<22} {:>6} drops {:>5} events   within 0.01 RTT {} (Poisson {})   within 1 RTT {} (Poisson {})\n", name,
             summary.lostPackets, summary.events.size(), percent(summary.withinHundredthRtt),
             percent(summary.poissonWithinHundredthRtt), percent(summary.withinRtt), percent(summary.poissonWithinRtt));
  if (!options.logFolder.empty()) {
    writeLog(options.logFolder + "/" + name + ".csv", drops, (*lab)->startedAt());
  }
  return true;
}

Options optionsOf(int count, char** words) {
  Options options;
  for (int index = 1; index < count; ++index) {
    const std::string word = words[index];
    const bool hasValue = index + 1 < count;
    if (word == "--for" && hasValue) {
      options.seconds = std::max(1, std::atoi(words[++index]));
    } else if (word == "--log" && hasValue) {
      options.logFolder = words[++index];
    } else {
      options.scenarios.push_back(word);
    }
  }
  if (options.scenarios.empty()) {
    options.scenarios = {"shallow_queue", "bufferbloat", "policer", "random_loss_medium", "bursty_loss"};
  }
  return options;
}

int bursts(int count, char** words) {
  const Options options = optionsOf(count, words);
  bool done = true;
  for (const std::string& scenario : options.scenarios) done = runOne(scenario, options) && done;
  fmt::print("\nElsewhere:\n");
  for (const ReferenceBurst& reference : kReferenceBursts) fmt::print("  {}\n", caption(reference));
  return done ? 0 : 1;
}

}  // namespace
}  // namespace tcpscope::lab

int main(int argumentCount, char** arguments) {
  if (const auto code = tcpscope::lab::runLabEngineIfAsked(argumentCount, arguments)) return *code;
  return tcpscope::lab::bursts(argumentCount, arguments);
}
