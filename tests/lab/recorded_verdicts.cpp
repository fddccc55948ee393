// A run of the lab that is recorded while a session judges it: the verdicts of tcpscope-cli on the recordings,
// replayed, reported and compared, are those given live. Prints a row an end; fails where one differs. `--all` for
// every scenario with a truth, otherwise a few. 77 where this machine has no lab.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "app/lab/engine/lab_engine.h"
#include "app/lab/run/lab_watch.h"
#include "app/lab/scenario/scenario_catalogue.h"
#include "app/lab/scenario/scenario_parser.h"
#include "app/session/local_place.h"
#include "app/session/session_recorder.h"
#include "collectors/system/monotonic_clock.h"
#include "core/present/text/lab_text.h"
#include "tests/lab/undisturbed_run.h"
#include "tests/support/own_folder.h"
#include "tests/support/program.h"

namespace tcpscope::lab {
namespace {

using namespace std::chrono_literals;
using nlohmann::json;

constexpr std::array<std::string_view, 5> kFew = {"web100_mistuned", "web100_tuned", "locked_send_buffer",
                                                  "pausing_application", "random_loss_high"};
/// Replays look back over all that was recorded; so does the session that is watched live.
constexpr Nanoseconds kAllOfIt = 120s;

/// One end of the main connection: the live verdict, and how the command line names it.
struct LiveEnd {
  std::string verdict;
  std::string filter;
};

struct RecordedRun {
  std::vector<LiveEnd> ends;
  std::vector<std::filesystem::path> recordings;
  std::string failure;
  bool isWithoutLab = false;
};

std::string verdictText(std::string_view limit, std::string_view cause) {
  return fmt::format("{}, {}", limit, cause);
}

LiveEnd liveEnd(const ConnectionDetail& detail) {
  const Verdict& verdict = detail.diagnosis.verdict;
  return {verdictText(name(verdict.limit), name(verdict.cause)),
          fmt::format("sport = :{} and dport = :{}", detail.socket.local.port, detail.socket.remote.port)};
}

/// The recording ends with the last snapshot that is judged.
Expected<WatchedTransfer, std::string> watchRecorded(const Scenario& scenario, LabProcess& lab, LabWatch& watch,
                                                     const std::filesystem::path& file) {
  using Failure = Unexpected<std::string>;
  for (const Moment timeout = monotonicNow() + 10s; watch.places().empty();) {
    if (monotonicNow() > timeout) return Failure("no host was seen");
    waitUntil(monotonicNow() + 20ms);
  }
  const auto recorder = SessionRecorder::start(file, watch.places(), clockPairNow(), {monotonicNow});
  if (!recorder) return Failure("no recorder");
  watch.recordInto(*recorder);
  const Moment end = lab.startedAt() + scenario.warmUp + scenario.duration;
  for (Moment next = lab.startedAt(); monotonicNow() < end; next = next + 200ms) {
    waitUntil(next);
    const auto report = lab.report();
    if (!report) return Failure(sentence(report.error()));
    std::vector<TransferRecord> main;
    for (const TransferRecord& one : report->transfers) {
      if (one.traffic == scenario.truth->traffic && main.empty()) main.push_back(one);
    }
    watch.follow(main);
  }
  const auto transfers = watch.transfers();
  watch.recordInto(nullptr);
  (*recorder)->requestStop();
  for (Moment timeout = monotonicNow() + 10s; !(*recorder)->state().ended;) {
    if (monotonicNow() > timeout) return Failure("the recording did not come to its end");
    waitUntil(monotonicNow() + 20ms);
  }
  if ((*recorder)->state().error) return Failure("the recording failed");
  if (transfers.empty() || !transfers.front().sender || !transfers.front().receiver) {
    return Failure("an end was not seen");
  }
  return transfers.front();
}

RecordedRun record(const Scenario& scenario, const test::OwnFolder& folder) {
  RecordedRun run;
  const auto lab = LabProcess::start(scenario);
  if (!lab) {
    run.failure = sentence(lab.error());
    run.isWithoutLab = isWithoutLab(lab.error());
    return run;
  }
  const auto watch = LabWatch::start(**lab, kAllOfIt);
  if (!watch) {
    run.failure = "no agents";
    return run;
  }
  const auto seen = watchRecorded(scenario, **lab, **watch, folder.path() / (scenario.name + ".tcpscope"));
  if (!seen) {
    run.failure = seen.error();
    return run;
  }
  run.ends = {liveEnd(*seen->sender), liveEnd(*seen->receiver)};
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    if (entry.path().filename().string().rfind(scenario.name, 0) == 0) run.recordings.push_back(entry.path());
  }
  return run;
}

std::string verdictIn(const json& document) {
  const json& verdict = document.at("connections").at(0).at("verdict");
  return verdictText(verdict.at("limit").get<std::string>(), verdict.at("cause").get<std::string>());
}

/// Of the recording in which this end is; empty where there is none.
std::string recordingOf(const RecordedRun& run, const LiveEnd& end, std::string& replayed) {
  for (const auto& file : run.recordings) {
    const auto outcome = test::runCommandLine({"diagnose", "--json", "--from", file, "--", end.filter});
    if (outcome.code != 0) continue;
    const json document = json::parse(outcome.out);
    if (document.at("connections").empty()) continue;
    replayed = verdictIn(document);
    return file;
  }
  return "";
}

json reportOf(std::vector<std::string> words, const test::OwnFolder& folder) {
  const std::string file = folder.path() / "report.json";
  words.insert(words.begin(), {"report", "-o", file});
  const auto outcome = test::runCommandLine(std::move(words));
  if (outcome.code != 0) fmt::print("  {}\n", outcome.error);
  return outcome.code == 0 ? json::parse(std::ifstream(file), nullptr, false) : json();
}

struct Judgement {
  bool isMet = true;
  bool hasLab = true;
  /// Of the sending ends, by scenario.
  std::map<std::string, std::string> senders;
};

void judge(const Scenario& scenario, const test::OwnFolder& folder, Judgement& judgement) {
  const RecordedRun run = record(scenario, folder);
  judgement.hasLab = judgement.hasLab && !run.isWithoutLab;
  if (!run.failure.empty()) {
    fmt::print("{:<24} {}\n", scenario.name, run.failure);
    judgement.isMet = false;
    return;
  }
  for (const LiveEnd& end : run.ends) {
    std::string replayed;
    const std::string file = recordingOf(run, end, replayed);
    const json reported = reportOf({"--from", file, "--", end.filter}, folder);
    const json compared = reportOf({"--from", file, "--compare", file, "--", end.filter}, folder);
    const std::string inReport = reported.is_object() ? verdictIn(reported) : "";
    const bool isSame = replayed == end.verdict && inReport == end.verdict && compared.is_object() &&
                        compared.value("same_verdict", false);
    fmt::print("{:<24} live {:<26} replayed {:<26} reported {:<26} {}\n", scenario.name, end.verdict, replayed,
               inReport, isSame ? "same" : "DIFFERENT");
    judgement.isMet = judgement.isMet && isSame;
    if (&end == &run.ends.front()) judgement.senders[scenario.name] = file;
  }
  std::fflush(stdout);
}

/// The tuned host is the faster one, and the setting that did it is named.
void judgeTuning(const test::OwnFolder& folder, Judgement& judgement) {
  const json compared = reportOf(
      {"--from", judgement.senders["web100_mistuned"], "--compare", judgement.senders["web100_tuned"]}, folder);
  const double speedup =
      compared.is_object() && compared.contains("goodput") ? compared.at("goodput").value("speedup_ratio", 0.0) : 0.0;
  const bool isFaster = speedup > 2.0 && !compared.value("same_verdict", true);
  fmt::print("tuned against mistuned: {}\n",
             compared.is_object() ? compared.value("text", "nothing was compared") : "no comparison");
  judgement.isMet = judgement.isMet && isFaster;
}

int judgeAll(bool isLong) {
  const test::OwnFolder folder;
  Judgement judgement;
  for (const BundledScenario& bundled : scenarioCatalogue()) {
    const auto scenario = parseScenario(bundled.text);
    const bool isFew = std::find(kFew.begin(), kFew.end(), bundled.name) != kFew.end();
    if (!scenario || !scenario->truth || !scenario->sweep.empty() || (!isLong && !isFew)) continue;
    judge(*scenario, folder, judgement);
    constexpr int kSkipped = 77;
    if (!judgement.hasLab) return kSkipped;
  }
  judgeTuning(folder, judgement);
  fmt::print("the same verdicts live, replayed, reported and compared: {}\n", judgement.isMet ? "met" : "MISSED");
  return judgement.isMet ? 0 : 1;
}

}  // namespace
}  // namespace tcpscope::lab

int main(int argumentCount, char** arguments) {
  if (const auto code = tcpscope::lab::runLabEngineIfAsked(argumentCount, arguments)) return *code;
  return tcpscope::lab::judgeAll(argumentCount > 1 && std::string_view(arguments[1]) == "--all");
}
