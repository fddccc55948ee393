#include "tests/lab/advised_lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "app/lab/engine/lab_process.h"
#include "app/lab/run/lab_watch.h"
#include "collectors/system/monotonic_clock.h"
#include "tests/app/lab/marked_processes.h"
#include "tests/lab/undisturbed_run.h"
#include "tests/support/built_paths.h"
#include "tests/support/own_state_folder.h"
#include "tests/support/program.h"

namespace tcpscope::lab {

namespace {

using namespace std::chrono_literals;
using Failure = Unexpected<LabError>;

std::vector<std::string> wordsOf(const Remedy& remedy, SettingKind kind) {
  std::vector<std::string> words;
  for (const SettingChange& change : remedy.changes) {
    // Left out by the program: the one that begins again does so.
    if (change.kind != kind || change.wanted == "unset") continue;
    words.push_back(fmt::format("{}={}", change.key, change.wanted));
  }
  return words;
}

std::string seenBy(End end, const ConnectionDetail& detail, const std::vector<Remedy>& remedies) {
  const auto& side = end == End::sender ? detail.diagnosis.sending : detail.diagnosis.receiving;
  std::string text = end == End::sender ? "sender:" : "receiver:";
  if (!side) return text + " nothing";
  const LimitShares& shares = end == End::sender ? detail.window.sending : detail.window.receiving;
  text += fmt::format(" {}, {}, {:.2f};", name(side->verdict.limit), name(side->verdict.cause),
                      side->verdict.confidenceRatio);
  for (std::size_t limit = 0; limit < kLimitCount; ++limit) {
    const double ratio = shares.ratio(static_cast<Limit>(limit));
    if (ratio > 0.0) text += fmt::format(" {} {:.2f}", name(static_cast<Limit>(limit)), ratio);
  }
  text += "; advised:";
  for (const Remedy& remedy : remedies) text += fmt::format(" {}", name(remedy.id));
  return text;
}

class AdvisedLab {
public:
  AdvisedLab(const AdviceCase& one, AdviceGoal goal) : m_case(one), m_goal(goal), m_mark(test::markEnvironment()) {}

  Expected<TakenAdvice, LabError> run() {
    auto lab = LabProcess::start(m_case.scenario);
    if (!lab) return Failure(lab.error());
    m_lab = std::move(*lab);
    auto watch = LabWatch::start(*m_lab, m_case.scenario.duration);
    if (!watch) return Failure(LabError{LabErrorKind::setUpFailed, watch.error().errorNumber, UntrustedText("agents")});
    m_watch = std::move(*watch);
    const auto done = story();
    if (!done) return Failure(done.error());
    return std::move(m_taken);
  }

private:
  Expected<void, LabError> story() {
    if (auto spoiled = spoil(); !spoiled) return spoiled;
    auto before = measure("main", m_lab->startedAt() + m_case.scenario.warmUp);
    if (!before) return Failure(before.error());
    m_taken.before = *before;
    advise();
    if (!m_case.notProvable.empty()) return judgeLateness();
    if (m_taken.remedy && m_taken.refusal.empty()) apply(*m_taken.remedy);
    if (!m_taken.remedy || !m_taken.refusal.empty()) return judgeLateness();
    const std::string_view traffic = m_case.reconnects() ? "again" : "main";
    const Moment begins = m_lab->startedAt() + m_case.scenario.traffic.back().start;
    if (m_case.reconnects() && monotonicNow() >= begins) {
      m_taken.disturbance = "the change came too late";
      return {};
    }
    auto after = measure(traffic, (m_case.reconnects() ? begins : monotonicNow()) + m_case.settles);
    if (!after) return Failure(after.error());
    m_taken.after = *after;
    undo(*m_taken.remedy);
    return judgeLateness();
  }

  /// Looks until then; the last report.
  Expected<LabResult, LabError> passUntil(std::string_view traffic, Moment moment) {
    while (true) {
      auto result = m_lab->report();
      if (!result) return result;
      std::vector<TransferRecord> transfers = result->transfers;
      std::erase_if(transfers, [&](const TransferRecord& one) { return one.traffic != traffic; });
      m_watch->follow(transfers);
      if (result->readAt >= moment) return result;
      constexpr Milliseconds kPoll{100};
      waitUntil(std::min(result->readAt + kPoll, moment));
    }
  }

  static std::uint64_t receivedOf(const LabResult& result, std::string_view traffic) {
    std::uint64_t sum = 0;
    for (const TransferRecord& one : result.transfers) sum += one.traffic == traffic ? one.received.value() : 0;
    return sum;
  }

  Expected<Measured, LabError> measure(std::string_view traffic, Moment from) {
    auto first = passUntil(traffic, from);
    if (!first) return Failure(first.error());
    auto last = passUntil(traffic, first->readAt + m_case.scenario.duration);
    if (!last) return Failure(last.error());
    // The last samples take a moment to arrive.
    constexpr int kMostWaits = 50;
    for (int waited = 0; waited < kMostWaits && !m_watch->knows(last->readAt); ++waited)
      waitUntil(monotonicNow() + 20ms);
    Measured measured;
    const Bytes received(receivedOf(*last, traffic) - receivedOf(*first, traffic));
    measured.goodput = BitsPerSecond::from(received, last->readAt - first->readAt);
    constexpr double kBitsPerByte = 8.0;
    const DetailPointer sender = detailOf(End::sender);
    const auto waiting = sender ? sender->window.notSentBytes.mean() : std::nullopt;
    if (waiting && measured.goodput.value() > 0.0)
      measured.waitsSeconds = *waiting * kBitsPerByte / measured.goodput.value();
    const bool hasNext = sender && sender->diagnosis.sending && sender->diagnosis.sending->verdict.next;
    if (hasNext) measured.next = sender->diagnosis.sending->verdict.next->rate;
    return measured;
  }

  [[nodiscard]] DetailPointer detailOf(End end) const {
    const std::vector<WatchedTransfer> transfers = m_watch->transfers();
    if (transfers.empty()) return nullptr;
    return end == End::sender ? transfers.front().sender : transfers.front().receiver;
  }

  [[nodiscard]] SysctlValues settingsOf(const ConnectionDetail& detail) const {
    for (const Place& place : m_watch->places()) {
      if (place.id == detail.row.id.place && place.settings) return *place.settings;
    }
    return {};
  }

  void advise() {
    for (const End end : {End::sender, End::receiver}) {
      const DetailPointer detail = detailOf(end);
      if (!detail) continue;
      const auto ask = [&](const AdviceGoal& goal) {
        const ConnectionAdvice advice =
            adviceFor(detail->socket, detail->window, detail->diagnosis, settingsOf(*detail), goal);
        const auto& side = end == End::sender ? advice.sending : advice.receiving;
        return side ? side->remedies : std::vector<Remedy>();
      };
      const auto find = [&](const std::vector<Remedy>& remedies, std::optional<Remedy>& found) {
        for (const Remedy& remedy : remedies) {
          if (end == m_case.asked && remedy.id == m_case.remedy) found = remedy;
        }
      };
      const std::vector<Remedy> remedies = ask(m_goal);
      m_taken.seen.push_back(seenBy(end, *detail, remedies));
      for (const Remedy& remedy : remedies) m_taken.advised.push_back(remedy.id);
      find(remedies, m_taken.remedy);
      AdviceGoal open;
      open.aim = m_goal.aim;
      open.pathMarks = m_goal.pathMarks;
      find(ask(open), m_taken.withoutTarget);
    }
  }

  /// Of a program at that end, which is in the host's namespaces.
  [[nodiscard]] pid_t processAt(End end) const {
    for (const test::MarkedProcess& process : test::processesWith(m_mark)) {
      if (process.name.ends_with(end == End::sender ? "-send" : "-recv")) return process.pid;
    }
    return -1;
  }

  bool tcpscope(std::vector<std::string> words, End end) {
    words.insert(words.end(), {"--netns", std::to_string(processAt(end))});
    m_taken.commands.push_back(fmt::format("tcpscope-cli {}", fmt::join(words, " ")));
    const test::Outcome outcome = test::runProgram(test::commandLineProgram(), words);
    if (outcome.code == 0) return true;
    m_taken.refusal = fmt::format("code {}: {}", outcome.code, outcome.error);
    return false;
  }

  bool tune(End end, const std::vector<std::string>& words) {
    const DetailPointer detail = detailOf(end);
    if (!detail) return false;
    const SocketObservation& socket = detail->socket;
    std::vector<std::string> all = {"tune", socket.local.toString() + "-" + socket.remote.toString()};
    all.insert(all.end(), words.begin(), words.end());
    return tcpscope(all, end);
  }

  /// The fault of a program that sets its options late.
  Expected<void, LabError> spoil() {
    if (m_case.spoiledBy.empty()) return {};
    if (auto seen = passUntil("main", m_lab->startedAt() + 500ms); !seen) return Failure(seen.error());
    tune(m_case.asked, m_case.spoiledBy);
    return {};
  }

  [[nodiscard]] End endOf(const Remedy& remedy) const {
    if (remedy.place != RemedyPlace::peer) return m_case.asked;
    return m_case.asked == End::sender ? End::receiver : End::sender;
  }

  void apply(const Remedy& remedy) {
    std::vector<std::string> settings = wordsOf(remedy, SettingKind::sysctl);
    if (!settings.empty()) {
      settings.insert(settings.begin(), "apply");
      settings.emplace_back("--yes");
      tcpscope(settings, endOf(remedy));
    }
    const std::vector<std::string> options = wordsOf(remedy, SettingKind::socketOption);
    if (!options.empty()) tune(endOf(remedy), options);
    // Makes room for the next one.
    if (m_case.reconnects()) kill(processAt(End::sender), SIGKILL);
  }

  void undo(const Remedy& remedy) {
    const bool isSetting = !wordsOf(remedy, SettingKind::sysctl).empty();
    const bool isOption = !wordsOf(remedy, SettingKind::socketOption).empty();
    m_taken.isUndone = (isSetting && tcpscope({"revert", "1"}, endOf(remedy))) ||
                       (isOption && tune(endOf(remedy), {"--undo"})) || (!isSetting && !isOption);
  }

  Expected<void, LabError> judgeLateness() {
    const auto last = m_lab->report();
    if (!last) return Failure(last.error());
    m_taken.disturbance = disturbanceOf(last->path.lateness999, last->path.worstLateness);
    return {};
  }

  const AdviceCase& m_case;
  AdviceGoal m_goal;
  /// What the program has to undo is of this run alone, as the connections and namespaces are.
  test::OwnStateFolder m_state;
  std::string m_mark;
  std::unique_ptr<LabProcess> m_lab;
  std::unique_ptr<LabWatch> m_watch;
  TakenAdvice m_taken;
};

}  // namespace

Expected<TakenAdvice, LabError> takeAdvice(const AdviceCase& one) {
  const PathSettings& path = one.scenario.path;
  AdviceGoal goal;
  goal.aim = one.aim;
  goal.pathMarks = one.pathMarks;
  goal.targetRate = path.path.forward.rate;
  goal.targetRtt = std::chrono::duration_cast<Microseconds>(path.path.forward.delay + path.path.backward.delay);
  return AdvisedLab(one, goal).run();
}

}  // namespace tcpscope::lab
