// Captures of transfers of which is known what held them when, against what the analysis says: a program that rests
// between large writes. Captured at the sender, in the middle and at the receiver. `--verbose` prints the stretches.
// Fails where the changes are missed; 77 where this machine has no lab.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "app/lab/engine/lab_engine.h"
#include "core/present/text/diagnosis_text.h"
#include "tests/lab/captured_run.h"
#include "tests/lab/two_host_scenario.h"

namespace tcpscope::lab {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kRest = 2s;
constexpr std::uint64_t kWrites = 3;
constexpr Bytes kPiece{3'000'000};

/// 20 Mbit/s and 40 ms: a piece takes 1.2 s and more.
Scenario transfer(std::string_view name) {
  Scenario scenario =
      twoHostScenario(name, "rests between pieces", cleanLink(BitsPerSecond(20e6), 10ms, Bytes(200'000)));
  DuplexSettings& access = scenario.path.hosts[1].access;
  access.forward.delay = access.backward.delay = 10ms;
  scenario.traffic.front().bytes = Bytes(kPiece.value() * kWrites);
  scenario.warmUp = 0s;
  return scenario;
}

Scenario pausingWriter() {
  Scenario scenario = transfer("pausing_writer");
  TrafficSettings& traffic = scenario.traffic.front();
  traffic.kind = TrafficKind::pausing;
  // So that a write ends when nearly all of it is sent.
  traffic.sendBuffer = Bytes(200'000);
  traffic.writeSize = kPiece;
  traffic.writeRest = kRest;
  return scenario;
}

/// Stretches of at least a second with this limit, or with it as a candidate where the limit is unknown.
std::size_t longStretches(const LimitHistory& history, Limit limit, bool acceptsCandidate) {
  return static_cast<std::size_t>(
      std::count_if(history.stretches.begin(), history.stretches.end(), [&](const LimitStretch& stretch) {
        const auto& candidates = stretch.candidates;
        const bool mayBe = acceptsCandidate && std::count(candidates.begin(), candidates.end(), limit) > 0 &&
                           stretch.shares.ratio(limit) > 0.6;
        return stretch.span() >= 1s && (stretch.limit == limit || mayBe);
      }));
}

std::string reported(const LimitHistory& history) {
  std::string text;
  for (const LimitStretch& stretch : history.stretches) {
    text += fmt::format("{}{}", text.empty() ? "" : ", ", phrase(stretch, history.stretches.front().from));
  }
  return text;
}

/// What has to be seen: so many stretches of a second and more in which this limit held, and for how long in all.
struct Built {
  Limit limit;
  std::size_t stretches;
  double leastSeconds;
  double mostSeconds;
};

bool judge(const Scenario& scenario, const Built& built, bool verbose, bool& hasLab) {
  CapturedRun run = runTransfer(scenario, 60s);
  // A busy moment passes.
  if (!run.disturbance.empty()) run = runTransfer(scenario, 60s);
  if (run.isWithoutLab) return hasLab = false;
  if (!run.failure.empty()) return fmt::print("{}: {}\n", scenario.name, run.failure), false;
  bool met = true;
  for (std::size_t vantage = 0; vantage < kVantages.size(); ++vantage) {
    const auto& capture = run.captures.at(vantage);
    if (!capture) continue;
    const LimitHistory& history = capture->diagnosis().history;
    const std::size_t seen = longStretches(history, built.limit, kVantages.at(vantage) != Vantage::sender);
    const double seconds = toSeconds(capture->diagnosis().limits.span(built.limit));
    const bool isRight = seen == built.stretches && built.leastSeconds <= seconds && seconds <= built.mostSeconds;
    fmt::print("{:<15} {:<9} {} stretches of {}, {:.2f} s of {:.1f} to {:.1f} s{}{}\n", scenario.name,
               tcpscope::name(kVantages.at(vantage)), seen, built.stretches, seconds, built.leastSeconds,
               built.mostSeconds, isRight ? "" : "  MISSED",
               run.disturbance.empty() ? "" : " (disturbed: " + run.disturbance + ")");
    if (verbose || !isRight) fmt::print("  {}\n", reported(history));
    met = met && (isRight || !run.disturbance.empty());
  }
  std::fflush(stdout);
  return met;
}

int cursors(bool verbose) {
  bool hasLab = true;
  // The last of what is written goes while the program rests already.
  const double rests = toSeconds(kRest) * (kWrites - 1);
  const bool met =
      judge(pausingWriter(), {Limit::application, kWrites - 1, 0.75 * rests, 1.2 * rests}, verbose, hasLab);
  constexpr int kSkipped = 77;
  if (!hasLab) return kSkipped;
  return met ? 0 : 1;
}

}  // namespace
}  // namespace tcpscope::lab

int main(int argumentCount, char** arguments) {
  if (const auto code = tcpscope::lab::runLabEngineIfAsked(argumentCount, arguments)) return *code;
  return tcpscope::lab::cursors(argumentCount > 1 && std::string_view(arguments[1]) == "--verbose");
}
