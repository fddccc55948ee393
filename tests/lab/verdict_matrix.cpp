#include "tests/lab/verdict_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "app/lab/scenario/scenario_writer.h"
#include "core/diagnosis/evidence/confidence.h"
#include "tests/lab/capture_judgement.h"
#include "tests/lab/captured_run.h"
#include "tests/lab/scenario_lottery.h"

namespace tcpscope::lab {

namespace {

constexpr double kLimitsRight = 0.98;
constexpr double kCausesRight = 0.95;
/// Of the verdicts given 0.8 to 0.9.
constexpr double kCalibrated = 0.80;

constexpr std::array<std::string_view, 4> kViews = {"sender", "receiver", "sender's capture", "receiver's capture"};

/// The answer of one side for one run. An answer that leaves the limit open is right where the true one is a candidate.
struct Judged {
  Answer answer;
  bool limitIsRight = false;
  bool causeIsRight = false;
  [[nodiscard]] bool isRight() const { return limitIsRight && causeIsRight; }
  [[nodiscard]] bool isConfidentlyWrong() const { return !isRight() && answer.confidenceRatio >= kConfident; }
};

struct Run {
  const ScenarioClass* drawn = nullptr;
  Scenario scenario;
  std::array<std::optional<Judged>, kViews.size()> views;
  std::string leftOut;
  bool isWithoutLab = false;
};

bool isPathLimit(Limit limit) {
  return limit == Limit::network || limit == Limit::recovery || limit == Limit::timeout;
}

/// What made the receive window small shows at the receiver only.
bool mayNotBeVisible(Cause truth, Cause answer) {
  return answer == Cause::unknown ||
         ((truth == Cause::bufferLocked || truth == Cause::windowClamp) && answer == Cause::bufferLimit);
}

Judged judgedCapture(const Verdict& verdict, const ScenarioClass& drawn) {
  Judged judged{{verdict.limit, verdict.cause, verdict.confidenceRatio}, false, true};
  if (verdict.limit == Limit::unknown) {
    judged.limitIsRight = std::any_of(verdict.candidates.begin(), verdict.candidates.end(), [&](Limit one) {
      return one == drawn.limit || (isPathLimit(one) && isPathLimit(drawn.limit));
    });
    return judged;
  }
  judged.limitIsRight = verdict.limit == drawn.limit;
  judged.causeIsRight = verdict.cause == drawn.cause || mayNotBeVisible(drawn.cause, verdict.cause);
  return judged;
}

void judge(Run& run, const CapturedRun& seen) {
  const Agreement& live = *seen.live;
  run.views[0] = Judged{live.sender, live.sender.limit == run.drawn->limit, live.senderAgrees};
  run.views[1] = Judged{live.receiver, live.receiverAgrees, live.receiverAgrees};
  const auto capture = [&](std::size_t view, const std::optional<CapturedTransfer>& transfer) {
    if (transfer) run.views.at(view) = judgedCapture(transfer->diagnosis().verdict, *run.drawn);
  };
  capture(2, seen.captures.front());
  // What a broken path keeps from the receiver is not in its capture, which ends before.
  const bool isCutOff = run.drawn->limit == Limit::stalled && run.drawn->cause == Cause::noResponse;
  if (!isCutOff) capture(3, seen.captures.back());
}

void carryOut(Run& run) {
  constexpr int kMostTries = 3;
  for (int tries = 0; tries < kMostTries; ++tries) {
    const CapturedRun seen = runJudged(run.scenario);
    run.isWithoutLab = seen.isWithoutLab;
    run.leftOut = !seen.failure.empty() ? seen.failure : seen.disturbance;
    if (run.leftOut.empty() && !seen.live) run.leftOut = "an end was not seen";
    if (run.isWithoutLab || !seen.failure.empty()) return;
    if (run.leftOut.empty()) return judge(run, seen);
  }
}

void print(const Run& run) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  fmt::print("  {:<26}", run.drawn->name);
  for (const auto& view : run.views) {
    if (view) fmt::print(" {}{:<28}", view->isRight() ? ' ' : '*', answerText(view->answer));
  }
  fmt::print(" {}\n", run.leftOut);
  const auto isWrong = [](const std::optional<Judged>& view) { return view && view->isConfidentlyWrong(); };
  if (std::any_of(run.views.begin(), run.views.end(), isWrong)) fmt::print("{}\n", writeScenario(run.scenario));
  std::fflush(stdout);
}

struct Tally {
  std::size_t judged = 0;
  std::size_t named = 0;
  std::size_t limits = 0;
  std::size_t causes = 0;
  std::size_t confidentlyWrong = 0;

  void add(const Judged& one) {
    ++judged;
    named += one.answer.limit == Limit::unknown ? 0U : 1U;
    limits += one.limitIsRight ? 1U : 0U;
    causes += one.isRight() ? 1U : 0U;
    confidentlyWrong += one.isConfidentlyWrong() ? 1U : 0U;
  }
  [[nodiscard]] double share(std::size_t count) const {
    return judged == 0 ? 0.0 : static_cast<double>(count) / static_cast<double>(judged);
  }
};

/// Of the verdicts that name a limit, by tenths of confidence.
struct Calibration {
  std::map<int, std::pair<std::size_t, std::size_t>> rightOfAll;

  void add(const Judged& one) {
    if (one.answer.limit == Limit::unknown) return;
    constexpr int kHighest = 9;
    auto& [right, all] = rightOfAll[std::min(static_cast<int>(one.answer.confidenceRatio * 10.0), kHighest)];
    right += one.isRight() ? 1U : 0U;
    ++all;
  }
  [[nodiscard]] bool isMet() const {
    constexpr int kFromEightTenths = 8;
    const auto found = rightOfAll.find(kFromEightTenths);
    if (found == rightOfAll.end()) return true;
    return static_cast<double>(found->second.first) >= kCalibrated * static_cast<double>(found->second.second);
  }
};

bool check(std::string_view what, double value, double wanted) {
  const bool met = value >= wanted;
  fmt::print("{:<32} {:>6.1f} %  (wanted: at least {:.0f} %) {}\n", what, value * 100.0, wanted * 100.0,
             met ? "met" : "MISSED");
  return met;
}

bool report(const std::vector<Run>& runs) {
  std::map<std::string_view, std::array<Tally, kViews.size()>> byClass;
  std::array<Tally, kViews.size()> byView;
  Tally all;
  Calibration calibration;
  std::size_t leftOut = 0;
  for (const Run& run : runs) {
    leftOut += run.leftOut.empty() ? 0U : 1U;
    for (std::size_t view = 0; view < kViews.size(); ++view) {
      const auto& judged = run.views.at(view);
      if (!judged) continue;
      byClass[run.drawn->name].at(view).add(*judged);
      byView.at(view).add(*judged);
      all.add(*judged);
      calibration.add(*judged);
    }
  }
  fmt::print("\n{:<26}", "limit and cause right");
  for (const std::string_view view : kViews) fmt::print(" {:>20}", view);
  fmt::print("\n");
  const auto row = [](std::string_view what, const std::array<Tally, kViews.size()>& tallies) {
    fmt::print("{:<26}", what);
    for (const Tally& tally : tallies) {
      fmt::print(" {:>20}", fmt::format("{} of {}{}", tally.causes, tally.judged,
                                        tally.confidentlyWrong > 0 ? fmt::format(" ({} !)", tally.confidentlyWrong)
                                                                   : std::string()));
    }
    fmt::print("\n");
  };
  for (const auto& [what, tallies] : byClass) row(what, tallies);
  row("all", byView);
  fmt::print("\nright by confidence:");
  for (const auto& [tenth, counts] : calibration.rightOfAll) {
    fmt::print(" {:.1f}: {} of {},", tenth / 10.0, counts.first, counts.second);
  }
  fmt::print(
      "\n{} runs, {} left out (the machine was too slow), {} classes; {} of {} answers name a limit; (N !): confident "
      "and wrong\n",
      runs.size(), leftOut, byClass.size(), all.named, all.judged);
  bool met = check("limits", all.share(all.limits), kLimitsRight);
  met = check("causes", all.share(all.causes), kCausesRight) && met;
  fmt::print("{} confident and wrong (wanted: none); of those given 0.8 to 0.9, at least {:.0f} % right: {}\n",
             all.confidentlyWrong, kCalibrated * 100.0, calibration.isMet() ? "met" : "MISSED");
  return met && all.confidentlyWrong == 0 && calibration.isMet() && all.judged > 0;
}

}  // namespace

MatrixOutcome judgeMatrix(const MatrixOptions& options) {
  Lottery lottery(options.seed);
  std::vector<Run> runs;
  for (std::size_t number = 0; number < options.runs; ++number) {
    for (const ScenarioClass& drawn : scenarioClasses()) {
      Run run;
      run.drawn = &drawn;
      run.scenario = draw(drawn, lottery);
      if (drawn.name.find(options.only) != std::string_view::npos) runs.push_back(std::move(run));
    }
  }
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> workers;
  for (std::size_t job = 0; job < options.jobs; ++job) {
    workers.emplace_back([&] {
      for (std::size_t mine = next++; mine < runs.size(); mine = next++) {
        carryOut(runs[mine]);
        print(runs[mine]);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  if (std::all_of(runs.begin(), runs.end(), [](const Run& run) { return run.isWithoutLab; })) {
    return MatrixOutcome::noLab;
  }
  return report(runs) ? MatrixOutcome::met : MatrixOutcome::missed;
}

}  // namespace tcpscope::lab
