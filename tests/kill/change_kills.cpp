// Kills a program that changes settings at random moments, and looks whether the journal explains what is left: see
// README.md. 77 where there is no network namespace to be had.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <map>
#include <random>
#include <string_view>
#include <thread>

#include "core/changes/persisted_settings.h"
#include "tests/app/changes/changed_host.h"
#include "tests/kill/changed_settings.h"
#include "tests/kill/kill_options.h"
#include "tests/support/own_namespace.h"

namespace tcpscope {
namespace {

using test::ChangedHost;
using Random = std::mt19937_64;

enum class Story : std::uint8_t { apply, applyAndRevert, applyAndConfirm, everything, count };

/// What the child does until it is killed.
void live(const ChangedHost& host, Story story) {
  ChangeRequest request;
  for (const ChangeableSetting& setting : kSettings) request.settings.push_back({setting.key, setting.values.front()});
  request.persist = true;
  SysctlChanger changes = host.changes();
  const bool waits = story == Story::applyAndConfirm || story == Story::everything;
  // Its timer is a process of its own, which the kill does not end. Longer than any machine stalls, and soon over.
  if (waits) request.revertAfter = std::chrono::seconds(15);
  const auto made = changes.apply(request);
  if (!made || !*made) _exit(1);
  if (waits && !changes.confirm((*made)->id)) _exit(1);
  if (story == Story::apply || story == Story::applyAndConfirm) return;
  if (!changes.revert((*made)->id)) _exit(1);
}

/// The states in which kills found the change.
using Found = std::map<std::string, int>;

bool fault(std::string_view what) {
  fmt::print("FAULT: {}\n", what);
  return false;
}

/// Whether file and journal are of one story, of which one step may be missing.
bool explainsFile(const ChangedHost& host, std::vector<ChangeRecord> records) {
  const std::string text = host.persistedText();
  if (text == persistedSettings(records)) return true;
  for (const ChangeState state : {ChangeState::confirmed, ChangeState::reverted}) {
    if (!records.empty()) records.back().state = state;
    if (text == persistedSettings(records)) return true;
  }
  return fault(fmt::format("the file is neither old nor new:\n{}", text));
}

bool explainsSettings(const std::vector<ChangeRecord>& records) {
  const bool isOpenOne = !records.empty() && isOpen(records.back());
  for (const ChangeableSetting& setting : kSettings) {
    const std::string now = ChangedHost::setting(setting.key);
    if (now == setting.original) continue;
    if (!isOpenOne || now != setting.values.front())
      return fault(fmt::format("{} is {}, unexplained", setting.key, now));
    const auto& settings = records.back().settings;
    const ChangedSetting journalled{setting.key, setting.original, setting.values.front()};
    if (std::find(settings.begin(), settings.end(), journalled) == settings.end()) {
      return fault(fmt::format("the journal lost the original of {}", setting.key));
    }
  }
  return true;
}

bool bringsBack(const ChangedHost& host, const std::vector<ChangeRecord>& records) {
  if (!records.empty() && isOpen(records.back()) && !host.changes().revert(records.back().id)) {
    return fault("what the journal knows could not be undone");
  }
  for (const ChangeableSetting& setting : kSettings) {
    if (ChangedHost::setting(setting.key) != setting.original) return fault(setting.key + " did not come back");
  }
  return !std::filesystem::exists(host.persisted()) || fault("the file for the next boot stayed");
}

bool killOnce(Random& random, std::chrono::microseconds longest, Found& found) {
  const ChangedHost host;
  for (const ChangeableSetting& setting : kSettings) ChangedHost::set(setting.key, setting.original);
  const auto story = static_cast<Story>(random() % static_cast<std::uint64_t>(Story::count));
  const std::chrono::microseconds moment(random() % static_cast<std::uint64_t>(longest.count()));
  const pid_t child = fork();
  if (child == 0) {
    live(host, story);
    _exit(0);
  }
  std::this_thread::sleep_for(moment);
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) return fault("a change failed without a kill");
  // Looked at without the program under test, which would begin to undo.
  const auto records =
      ChangeJournal::open(host.journal()).and_then([](const ChangeJournal& journal) { return journal.records(); });
  if (!records) return fault("a record of the journal is not whole");
  ++found[records->empty() ? "not journalled" : std::string(name(records->back().state))];
  if (!explainsFile(host, *records) || !explainsSettings(*records)) return false;
  return bringsBack(host, *records);
}

/// How long an undisturbed story takes, so that the kills spread over all of it.
std::chrono::microseconds longestStory() {
  const auto begin = std::chrono::steady_clock::now();
  constexpr int kStories = 5;
  for (int story = 0; story < kStories; ++story) {
    const ChangedHost host;
    for (const ChangeableSetting& setting : kSettings) ChangedHost::set(setting.key, setting.original);
    const pid_t child = fork();
    if (child == 0) {
      live(host, Story::everything);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
  return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin) / kStories;
}

int kills(const KillOptions& options) {
  test::enterOwnNamespace();
  constexpr int kSkipped = 77;
  if (!test::hasOwnNamespace()) return fmt::print("no network namespace here\n"), kSkipped;
  Random random(options.seed);
  Found found;
  const std::chrono::microseconds longest = longestStory();
  for (int kill = 0; kill < options.kills; ++kill) {
    if (killOnce(random, longest, found)) continue;
    fmt::print("after {} kills, seed {}\n", kill, options.seed);
    return 1;
  }
  fmt::print("{} kills within {} us, seed {}; found", options.kills, longest.count(), options.seed);
  for (const auto& [state, count] : found) fmt::print(" {}: {},", state, count);
  fmt::print(" every original came back\n");
  constexpr std::size_t kStates = 5;
  return found.size() == kStates ? 0 : 1;
}

}  // namespace
}  // namespace tcpscope

int main(int argumentCount, char** arguments) {
  return tcpscope::kills(tcpscope::KillOptions({arguments, static_cast<std::size_t>(argumentCount)}));
}
