// Captures against the truth: drops against the path's log, causes against the sender's kernel, verdicts against the
// live ones; tables, and failure where a share is missed. `--short` for one run of each, `--runs N`, `--seed N`,
// `--only PART` of the rows' names, `--part loss|verdict`, `--drawn N` scenarios of each class by lot, `--keep FOLDER`
// for the captures, `--verbose`. `--matrix` instead: every class drawn by lot `--runs` times, judged live and from
// captures at both ends (verdict_matrix.h), `--jobs N` at once.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <set>

#include "app/lab/engine/lab_engine.h"
#include "app/lab/scenario/scenario_catalogue.h"
#include "app/lab/scenario/scenario_parser.h"
#include "tests/lab/capture_judgement.h"
#include "tests/lab/captured_run.h"
#include "tests/lab/scenario_lottery.h"
#include "tests/lab/two_host_scenario.h"
#include "tests/lab/verdict_matrix.h"

namespace tcpscope::lab {
namespace {

using namespace std::chrono_literals;

constexpr double kCausesRight = 0.98;
/// One that the machine disturbed, of some fifty.
constexpr double kShortDropsWrong = 0.02;
/// The receiver's report of what came twice (RFC 2883) may be missing: Linux joins acknowledgments that come close
/// together.
constexpr double kReorderedDropsWrong = 0.04;
/// One run of each has few retransmissions, and a kernel's counter that was read a moment early counts.
constexpr double kShortCausesRight = 0.95;

struct Options {
  std::uint64_t seed = 1;
  std::size_t runs = 5;
  std::size_t drawn = 2;
  std::string only;
  std::string part;
  std::string keepIn;
  std::size_t jobs = 2;
  bool isShort = false;
  bool isMatrix = false;
  bool verbose = false;
};

struct LossRow {
  std::string_view name;
  double ratio;
  bool isBursty;
  std::uint64_t megabytes;
  /// Of the packets before the middle; they arrive more than one RTT late.
  double reordered = 0;
  bool hasTimestamps = true;
  [[nodiscard]] double tolerated(bool isShort) const {
    if (reordered > 0 && ratio > 0) return kReorderedDropsWrong;
    return isShort ? kShortDropsWrong : 0.0;
  }
};

constexpr std::array kLossRows = {
    LossRow{"random 0.1 %", 0.001, false, 40},
    LossRow{"random 1 %", 0.01, false, 8},
    LossRow{"random 3 %", 0.03, false, 3},
    LossRow{"bursts, 0.1 %", 0.001, true, 40},
    LossRow{"bursts, 1 %", 0.01, true, 10},
    LossRow{"bursts, 3 %", 0.03, true, 3},
    LossRow{"reordered", 0, false, 6, 0.01},
    LossRow{"reordered, lost", 0.01, false, 3, 0.01},
    LossRow{"reordered, bare", 0.01, false, 3, 0.01, false},
};

/// Half of the delay and half of the loss before the middle.
Scenario lossScenario(const LossRow& row, std::uint64_t seed) {
  Scenario scenario = twoHostScenario("loss", row.name, cleanLink(BitsPerSecond(50e6), 6ms, Bytes(250'000)));
  for (HostSettings& host : scenario.hosts) {
    if (!row.hasTimestamps) host.sysctls["net.ipv4.tcp_timestamps"] = "0";
  }
  DuplexSettings& access = scenario.path.hosts[1].access;
  access.forward.delay = access.backward.delay = 6ms;
  for (LinkSettings* const link : {&scenario.path.path.forward, &access.backward}) {
    link->loss = BernoulliLoss{row.ratio / 2};
    // Bursts of three packets on average.
    if (row.isBursty) link->loss = GilbertElliottLoss{row.ratio / 2 / 3, 1.0 / 3, 0.0, 1.0};
  }
  LinkSettings& beforeMiddle = scenario.path.path.forward;
  beforeMiddle.reorderingRatio = row.reordered;
  if (row.reordered > 0) beforeMiddle.reorderingDelay = 30ms;
  scenario.path.seed = seed;
  scenario.traffic.front().bytes = Bytes(row.megabytes * 1'000'000);
  scenario.warmUp = 0s;
  return scenario;
}

struct LossTotals {
  std::array<DropJudgement, kVantages.size()> drops;
  std::array<CauseJudgement, kVantages.size()> causes;
  std::size_t judged = 0;
  std::size_t disturbed = 0;
  std::size_t failed = 0;
};

void printLossRow(std::string_view name, const LossTotals& totals) {
  for (std::size_t vantage = 0; vantage < kVantages.size(); ++vantage) {
    const DropJudgement& drops = totals.drops.at(vantage);
    const CauseJudgement& causes = totals.causes.at(vantage);
    fmt::print("{:<15} {:<9} {:>6} {:>8} {:>6} {:>7} {:>9}   {:>6} {:>6} {:>8.2f} %\n", name,
               tcpscope::name(kVantages.at(vantage)), drops.logged, drops.visible, drops.found, drops.missed(),
               drops.invented, causes.all, causes.wrong, causes.rightShare() * 100);
  }
  std::fflush(stdout);
}

/// What of the row's totals is within what is tolerated.
bool isMet(const LossRow& row, const LossTotals& totals, const Options& options) {
  const double wanted = options.isShort ? kShortCausesRight : kCausesRight;
  // Of the short form's runs one may have failed on a machine that does other things.
  const std::size_t mayFail = options.isShort && totals.judged > 0 ? 1 : 0;
  bool met = totals.failed <= mayFail;
  for (const DropJudgement& drops : totals.drops) {
    const auto wrong = static_cast<double>(drops.missed() + drops.invented);
    met = met && wrong <= row.tolerated(options.isShort) * static_cast<double>(drops.visible);
  }
  for (const CauseJudgement& causes : totals.causes) met = met && causes.rightShare() >= wanted;
  return met;
}

/// False where this machine has no lab.
bool addRun(const LossRow& row, std::uint64_t seed, const Options& options, LossTotals& totals) {
  const std::string folder = options.keepIn.empty() ? "" : fmt::format("{}/{} {}", options.keepIn, row.name, seed);
  const CapturedRun run = runTransfer(lossScenario(row, seed), 120s, folder);
  if (run.isWithoutLab) return false;
  if (!run.failure.empty()) fmt::print("  {}: {}\n", row.name, run.failure);
  if (!run.disturbance.empty()) fmt::print("  {}: disturbed, {}\n", row.name, run.disturbance);
  if (!run.failure.empty() || !run.disturbance.empty()) {
    (run.failure.empty() ? totals.disturbed : totals.failed) += 1;
    return true;
  }
  ++totals.judged;
  for (std::size_t vantage = 0; vantage < kVantages.size(); ++vantage) {
    totals.drops.at(vantage) += judgeDrops(run, vantage, options.verbose);
    totals.causes.at(vantage) += judgeCauses(run, vantage, options.verbose);
  }
  return true;
}

bool judgeLosses(const Options& options, bool& hasLab) {
  fmt::print(
      "Drops of data: in the path's log, those that can show at the capture point, found, missed, invented; causes "
      "of retransmissions\n{:<15} {:<9} {:>6} {:>8} {:>6} {:>7} {:>9}   {:>6} {:>6} {:>10}\n",
      "", "capture", "logged", "visible", "found", "missed", "invented", "again", "wrong", "right");
  // A single run has some twenty drops, of which one is a large share: more runs decide.
  const std::size_t mostRuns = options.isShort ? options.runs + 3 : options.runs;
  bool met = true;
  for (const LossRow& row : kLossRows) {
    if (row.name.find(options.only) == std::string_view::npos) continue;
    LossTotals totals;
    for (std::size_t number = 0; number < mostRuns; ++number) {
      if (number >= options.runs && totals.judged > 0 && isMet(row, totals, options)) break;
      if (!addRun(row, options.seed + number, options, totals)) return hasLab = false;
    }
    printLossRow(row.name, totals);
    met = met && isMet(row, totals, options);
  }
  fmt::print(
      "at most {:.0f} % of the drops missed or invented ({:.0f} % where packets are lost and reordered), causes at "
      "least "
      "{:.0f} % right: {}\n\n",
      kLossRows.front().tolerated(options.isShort) * 100, kReorderedDropsWrong * 100,
      (options.isShort ? kShortCausesRight : kCausesRight) * 100, met ? "met" : "MISSED");
  return met;
}

struct JudgedScenario {
  std::string name;
  Scenario scenario;
};

std::vector<JudgedScenario> scenariosWithTruth(const Options& options) {
  std::vector<JudgedScenario> all;
  std::set<std::pair<Limit, Cause>> truths;
  for (const BundledScenario& bundled : scenarioCatalogue()) {
    auto scenario = parseScenario(bundled.text);
    if (!scenario || !scenario->truth || !scenario->sweep.empty()) continue;
    const bool isNew = truths.insert({scenario->truth->limit, scenario->truth->cause}).second;
    if (isNew || !options.isShort) all.push_back({scenario->name, std::move(*scenario)});
  }
  Lottery lottery(options.seed);
  for (std::size_t number = 0; number < options.drawn; ++number) {
    for (const ScenarioClass& drawn : scenarioClasses()) {
      all.push_back({fmt::format("lot {}", drawn.name), draw(drawn, lottery)});
    }
  }
  std::erase_if(all, [&](const JudgedScenario& one) { return one.name.find(options.only) == std::string::npos; });
  return all;
}

bool judgeVerdicts(const Options& options, bool& hasLab) {
  fmt::print("Verdicts of captures against the live one: same, unknown (with it among the candidates), DIFFERENT\n");
  std::array<VerdictTally, kVantages.size()> tallies;
  std::size_t disturbed = 0;
  for (const JudgedScenario& judged : scenariosWithTruth(options)) {
    CapturedRun run = runJudged(judged.scenario);
    // A busy moment passes.
    if (!run.disturbance.empty()) run = runJudged(judged.scenario);
    if (run.isWithoutLab) return hasLab = false;
    if (!run.failure.empty() || !run.live) {
      fmt::print("{:<28} {}\n", judged.name, run.failure.empty() ? "an end was not seen" : run.failure);
      continue;
    }
    fmt::print("{:<28} live {:<26}", judged.name, answerText(run.live->sender));
    const bool isClear = run.disturbance.empty() && run.live->senderAgrees;
    for (std::size_t vantage = 0; vantage < kVantages.size(); ++vantage) {
      const VerdictJudgement judgement = judgeVerdict(run, vantage);
      fmt::print(" {:<26}", judgement.text);
      if (isClear) tallies.at(vantage).add(judgement.outcome);
    }
    if (!isClear) ++disturbed;
    fmt::print(" {}\n", run.live->senderAgrees ? run.disturbance : "the live verdict errs, too");
    if (options.verbose) reportWaits(run);
    std::fflush(stdout);
  }
  bool met = true;
  fmt::print("\n{:<10} {:>6} {:>8} {:>9} {:>10}\n", "capture", "same", "unknown", "no help", "different");
  for (std::size_t vantage = 0; vantage < kVantages.size(); ++vantage) {
    const VerdictTally& tally = tallies.at(vantage);
    fmt::print("{:<10} {:>6} {:>8} {:>9} {:>10}\n", name(kVantages.at(vantage)), tally.same, tally.unknown,
               tally.withoutCandidate, tally.different);
    met = met && tally.different == 0 && tally.withoutCandidate == 0;
  }
  fmt::print(
      "{} left out (disturbed, or the live verdict erred); none different, the right one among the candidates: {}\n",
      disturbed, met ? "met" : "MISSED");
  return met;
}

std::uint64_t numberOf(const char* text) {
  const std::string_view digits(text);
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

/// Nothing where a word is none of the options.
std::optional<Options> optionsOf(int count, char** words) {
  Options options;
  for (int index = 1; index < count; ++index) {
    const std::string_view word = words[index];
    if (word == "--verbose") {
      options.verbose = true;
      continue;
    }
    if (word == "--short") {
      options.isShort = true;
      options.runs = 1;
      options.drawn = 0;
      continue;
    }
    if (word == "--matrix") {
      options.isMatrix = true;
      continue;
    }
    if (index + 1 == count) return std::nullopt;
    const char* const value = words[++index];
    if (word == "--jobs") {
      options.jobs = std::max<std::size_t>(numberOf(value), 1);
    } else if (word == "--seed") {
      options.seed = numberOf(value);
    } else if (word == "--runs") {
      options.runs = numberOf(value);
    } else if (word == "--drawn") {
      options.drawn = numberOf(value);
    } else if (word == "--only") {
      options.only = value;
    } else if (word == "--part") {
      options.part = value;
    } else if (word == "--keep") {
      options.keepIn = value;
    } else {
      return std::nullopt;
    }
  }
  return options;
}

int accuracy(int count, char** words) {
  constexpr int kSkipped = 77;
  constexpr int kUsage = 2;
  const auto options = optionsOf(count, words);
  if (!options) {
    fmt::print(stderr,
               "usage: {} [--matrix [--jobs N]] [--short] [--runs N] [--drawn N] [--seed N] [--only PART] [--part "
               "loss|verdict] [--keep FOLDER] [--verbose]\n",
               words[0]);
    return kUsage;
  }
  if (options->isMatrix) {
    const MatrixOutcome outcome = judgeMatrix({options->seed, options->runs, options->jobs, options->only});
    if (outcome == MatrixOutcome::noLab) return kSkipped;
    return outcome == MatrixOutcome::met ? 0 : 1;
  }
  bool hasLab = true;
  bool met = true;
  if (options->part != "verdict") met = judgeLosses(*options, hasLab) && met;
  if (hasLab && options->part != "loss") met = judgeVerdicts(*options, hasLab) && met;
  if (!hasLab) return kSkipped;
  return met ? 0 : 1;
}

}  // namespace
}  // namespace tcpscope::lab

int main(int argumentCount, char** arguments) {
  if (const auto code = tcpscope::lab::runLabEngineIfAsked(argumentCount, arguments)) return *code;
  return tcpscope::lab::accuracy(argumentCount, arguments);
}
