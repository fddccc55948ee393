// Verdict against truth over scenarios drawn by lot: prints the confusion matrix and the shares that the project is
// held to, and fails where one is missed. What the machine disturbed is run again, and left out if it was again; the
// short form takes a right answer all the same. 77 where the machine has no lab, or no time for half of the runs.
// `--seed N` draws the same again, `--runs N` runs a class, `--jobs N` at once, `--short` for few runs, `--only PART`
// of the classes' names, `--verbose`.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>

#include "app/lab/engine/lab_engine.h"
#include "app/lab/scenario/scenario_writer.h"
#include "core/present/text/lab_text.h"
#include "tests/lab/scenario_lottery.h"
#include "tests/lab/undisturbed_run.h"

namespace tcpscope::lab {
namespace {

constexpr double kEachRight = 0.90;
constexpr double kAllRight = 0.97;
/// Of the short form, which runs beside other tests on machines that are not quiet.
constexpr double kShortRight = 0.85;
constexpr double kConfidentShare = 0.80;

struct Options {
  std::uint64_t seed = std::random_device()();
  std::size_t runsEach = 20;
  std::size_t jobs = 2;
  /// Only classes whose name contains it.
  std::string only;
  /// Too few runs for shares of a class: only all together are held to theirs.
  bool isShort = false;
  /// Prints scenarios whose verdict was wrong.
  bool verbose = false;
};

struct Outcome {
  const ScenarioClass* drawn = nullptr;
  Scenario scenario;
  std::optional<Agreement> agreement;
  WatchedTransfer ends;
  /// Why there is no agreement.
  std::string failure;
  bool skipped = false;
  /// Why it is no ground to judge on; empty where it is.
  std::string disturbance;
  /// This machine gives no namespaces or no devices.
  bool isWithoutLab = false;
};

/// Of so few runs that no share of them is a figure to quote: right in spite of the machine.
bool isRight(const ScenarioRun& run) {
  return run.agreement && run.agreement->agrees();
}

void run(Outcome& outcome, bool isShort) {
  const auto run = runUndisturbed(outcome.scenario, isShort ? isRight : RunCondition());
  if (!run) {
    outcome.failure = sentence(run.error());
    outcome.isWithoutLab = isWithoutLab(run.error());
    return;
  }
  if (!run->skipped.empty()) {
    outcome.skipped = true;
    outcome.failure = sentence(run->skipped.front().reason);
    return;
  }
  if (!isShort || !isRight(*run)) outcome.disturbance = disturbanceOf(*run);
  outcome.agreement = run->agreement;
  if (!run->transfers.empty()) outcome.ends = run->transfers.front();
  if (!run->agreement) outcome.failure = "an end was not seen";
}

std::string answerText(const Answer& answer) {
  return fmt::format("{}/{}", name(answer.limit), name(answer.cause));
}

template <class Number>
std::string countText(const OptionalCount<Number>& count) {
  return count ? fmt::to_string(*count) : "unknown";
}

std::string figureText(const SpanFigure& figure) {
  if (figure.empty()) return "-";
  return fmt::format("{:.0f}..{:.0f}, mean {:.0f}", *figure.smallest(), *figure.largest(), *figure.mean());
}

/// What the end saw, for finding out why it erred.
void reportEnd(const char* what, const ConnectionDetail& detail) {
  const WindowStatistics& window = detail.window;
  fmt::print("      {}: {} samples in {:.1f} s, longest step {:.2f} s;", what, window.samples, toSeconds(window.span()),
             toSeconds(window.longestStep));
  for (const Limit limit : kLimits) {
    const double sending = window.sending.ratio(limit);
    const double receiving = window.receiving.ratio(limit);
    if (sending > 0.005 || receiving > 0.005) fmt::print(" {} {:.2f}/{:.2f}", name(limit), sending, receiving);
  }
  fmt::print(
      "\n        acked {} received {} segments {} retransmitted {} duplicates {} loss events {} of {}, timeouts {}, "
      "reorderings {}, marked {} of {}\n",
      countText(window.ackedBytes), countText(window.receivedBytes), countText(window.dataSegmentsOut),
      countText(window.retransmittedSegments), countText(window.duplicatesReported), window.lossEvents,
      window.lossOpportunities, countText(window.timeouts), countText(window.reorderingEvents),
      countText(window.markedSegments), countText(window.deliveredSegments));
  const auto variation = window.losses ? window.losses->thresholdsAfter.variation() : std::nullopt;
  if (variation) {
    fmt::print("        {} thresholds after loss vary by {:.2f}, the segments between them by {:.2f}\n",
               window.losses->thresholdsAfter.count(), *variation,
               window.losses->segmentsBetween.distances().variation().value_or(0.0));
  }
  fmt::print("        rtt {} (min {}); peer window {}, shrunk {}; own window {}; cwnd {}; in flight {}; unread {}\n",
             figureText(window.rttUs), detail.socket.info.minRtt().value_or(Microseconds(0)).count(),
             figureText(window.peerWindowBytes), window.peerWindowShrinks ? window.peerWindowShrinks->count() : 0U,
             figureText(window.advertisedWindowBytes), figureText(window.congestionWindowBytes),
             figureText(window.inFlightBytes), figureText(window.receiveQueueBytes));
}

void report(const Outcome& outcome, const Options& options) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (!outcome.agreement || !outcome.disturbance.empty()) {
    fmt::print("  {:<26} {}{}\n", outcome.drawn->name, outcome.failure, outcome.disturbance);
    return;
  }
  const Agreement& agreement = *outcome.agreement;
  fmt::print("  {:<26} {:<9} {} ({:.2f}), {} ({:.2f})\n", outcome.drawn->name, agreement.agrees() ? "agrees" : "WRONG",
             answerText(agreement.sender), agreement.sender.confidenceRatio, answerText(agreement.receiver),
             agreement.receiver.confidenceRatio);
  if (!agreement.agrees()) fmt::print("      {}\n", sentence(agreement));
  if (options.verbose && outcome.ends.sender) reportEnd("sender", *outcome.ends.sender);
  if (options.verbose && outcome.ends.receiver) reportEnd("receiver", *outcome.ends.receiver);
  if (!agreement.agrees() && options.verbose) fmt::print("{}\n", writeScenario(outcome.scenario));
  std::fflush(stdout);
}

std::vector<Outcome> drawAll(const Options& options) {
  Lottery lottery(options.seed);
  std::vector<Outcome> outcomes;
  for (std::size_t number = 0; number < options.runsEach; ++number) {
    for (const ScenarioClass& drawn : scenarioClasses()) {
      // Drawn whether it runs or not: the seed gives the same scenario for a part of the matrix.
      Outcome outcome;
      outcome.drawn = &drawn;
      outcome.scenario = draw(drawn, lottery);
      if (drawn.name.find(options.only) != std::string_view::npos) outcomes.push_back(std::move(outcome));
    }
  }
  return outcomes;
}

void runAll(std::vector<Outcome>& outcomes, const Options& options) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> workers;
  for (std::size_t job = 0; job < options.jobs; ++job) {
    workers.emplace_back([&] {
      for (std::size_t mine = next++; mine < outcomes.size(); mine = next++) {
        run(outcomes[mine], options.isShort);
        report(outcomes[mine], options);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
}

struct Tally {
  std::size_t judged = 0;
  std::size_t right = 0;
  std::size_t confident = 0;
  std::size_t confidentlyWrong = 0;
  std::map<std::string, std::size_t> answers;

  void add(const Agreement& agreement) {
    ++judged;
    right += agreement.agrees() ? 1U : 0U;
    confident += agreement.isConfident() ? 1U : 0U;
    confidentlyWrong += agreement.isConfidentlyWrong() ? 1U : 0U;
    std::string answer = answerText(agreement.sender);
    if (!agreement.receiverAgrees) answer += " | " + answerText(agreement.receiver);
    ++answers[answer];
  }
  [[nodiscard]] double share(std::size_t count) const {
    return judged == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(judged);
  }
};

bool check(const char* what, double value, double wanted, bool atLeast = true) {
  const bool met = atLeast ? value >= wanted : value <= wanted;
  fmt::print("{:<44} {:>7.1f} %  (wanted: {} {:.0f} %) {}\n", what, value * 100, atLeast ? "at least" : "at most",
             wanted * 100, met ? "met" : "MISSED");
  return met;
}

bool report(const std::vector<Outcome>& outcomes, bool isShort) {
  std::map<std::string_view, Tally> byClass;
  std::map<std::string_view, Tally> byLimit;
  std::map<std::string_view, Tally> byCause;
  Tally all;
  std::size_t skipped = 0;
  std::size_t failed = 0;
  std::size_t disturbed = 0;
  for (const Outcome& outcome : outcomes) {
    if (!outcome.disturbance.empty()) {
      ++disturbed;
      continue;
    }
    if (!outcome.agreement) {
      (outcome.skipped ? skipped : failed) += 1;
      continue;
    }
    byClass[outcome.drawn->name].add(*outcome.agreement);
    byLimit[name(outcome.drawn->limit)].add(*outcome.agreement);
    byCause[name(outcome.drawn->cause)].add(*outcome.agreement);
    all.add(*outcome.agreement);
  }
  fmt::print("\nConfusion matrix: truth, runs, right, confident, what the ends answered\n");
  bool met = true;
  for (const auto& [truth, tally] : byClass) {
    fmt::print("{:<26} {:>3} {:>3} {:>3}  ", truth, tally.judged, tally.right, tally.confident);
    for (const auto& [answer, count] : tally.answers) fmt::print(" {}×{}", count, answer);
    fmt::print("\n");
    met = met && (isShort || tally.share(tally.right) >= kEachRight);
  }
  const auto shares = [&](const char* what, const std::map<std::string_view, Tally>& rows) {
    fmt::print("\nRight by {}:", what);
    for (const auto& [key, tally] : rows) {
      fmt::print(" {} {:.0f} %,", key, tally.share(tally.right) * 100);
      met = met && (isShort || tally.share(tally.right) >= kEachRight);
    }
  };
  shares("limit", byLimit);
  shares("cause", byCause);
  fmt::print(
      "\n\n{} runs judged, {} disturbed, {} skipped, {} failed; each limit and cause at least {:.0f} % right: {}\n",
      all.judged, disturbed, skipped, failed, kEachRight * 100, met ? "met" : "MISSED");
  met = check("right of all", all.share(all.right), isShort ? kShortRight : kAllRight) && met;
  met = check("confident", all.share(all.confident), kConfidentShare) && met;
  const bool noneMisled = check("confident and wrong", all.share(all.confidentlyWrong), 0.0, false);
  met = met && (isShort || noneMisled);
  return met && failed == 0 && all.judged > 0;
}

std::uint64_t numberOf(const char* text) {
  const std::string_view digits(text);
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

Options optionsOf(int count, char** words) {
  Options options;
  for (int index = 1; index < count; ++index) {
    const std::string_view word = words[index];
    const char* const value = index + 1 < count ? words[index + 1] : "";
    if (word == "--verbose") {
      options.verbose = true;
      continue;
    }
    if (word == "--short") {
      options.isShort = true;
      continue;
    }
    if (word == "--seed") options.seed = numberOf(value);
    if (word == "--runs") options.runsEach = numberOf(value);
    if (word == "--jobs") options.jobs = std::max<std::size_t>(numberOf(value), 1);
    if (word == "--only") options.only = value;
    ++index;
  }
  return options;
}

int accuracy(int count, char** words) {
  const Options options = optionsOf(count, words);
  fmt::print("seed {}, {} runs of each of {} limits and causes\n", options.seed, options.runsEach,
             scenarioClasses().size());
  std::vector<Outcome> outcomes = drawAll(options);
  runAll(outcomes, options);
  const bool hasLab =
      std::any_of(outcomes.begin(), outcomes.end(), [](const Outcome& one) { return !one.isWithoutLab; });
  constexpr int kSkipped = 77;
  if (!hasLab) return kSkipped;
  const auto disturbed = static_cast<std::size_t>(
      std::count_if(outcomes.begin(), outcomes.end(), [](const Outcome& one) { return !one.disturbance.empty(); }));
  if (2 * disturbed > outcomes.size()) {
    fmt::print("\nNot judged: the machine disturbed {} of {} runs\n", disturbed, outcomes.size());
    return kSkipped;
  }
  return report(outcomes, options.isShort) ? 0 : 1;
}

}  // namespace
}  // namespace tcpscope::lab

int main(int argumentCount, char** arguments) {
  if (const auto code = tcpscope::lab::runLabEngineIfAsked(argumentCount, arguments)) return *code;
  return tcpscope::lab::accuracy(argumentCount, arguments);
}
