// Rounds of random steps of two administrators, kills, boots and a folder that cannot be written, and whether after
// each round every original came back and the next change works: see README.md. 77 where there is no network namespace.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <random>
#include <string_view>

#include "app/changes/execute/setting_comparison.h"
#include "tests/app/changes/changed_host.h"
#include "tests/app/changes/own_namespace.h"
#include "tests/kill/kill_options.h"

namespace tcpscope {
namespace {

using test::ChangedHost;
using Random = std::mt19937_64;

struct Setting {
  std::string key;
  std::string original;
  std::vector<std::string> values;
};

const std::array<Setting, 3> kSettings = {{
    {"net.ipv4.tcp_sack", "1", {"0"}},
    {"net.ipv4.tcp_rmem",
     "4096 131072 6291456",
     {"4096 131072 16777216", "4096 131072 33554432", "4096 87380 8388608"}},
    {"net.ipv4.tcp_wmem", "4096 16384 4194304", {"8192 65536 33554432", "4096 16384 16777216"}},
}};

enum class Step : std::uint8_t {
  apply,
  applyOnTrial,
  applyPersistently,
  confirm,
  revert,
  settle,
  list,
  compare,
  killedApply,
  killedComparison,
  lockFolder,
  unlockFolder,
  boot,
  count
};

/// One host, and what happens to it in a round.
class Round {
public:
  Round(Random& random, std::map<std::string, int>& ends) : m_random(random), m_ends(ends) {
    for (const Setting& setting : kSettings) ChangedHost::set(setting.key, setting.original);
  }

  /// False after the fault was printed.
  bool run() {
    const std::uint64_t steps = 1 + m_random() % 12;
    for (std::uint64_t step = 0; step < steps; ++step) {
      take(static_cast<Step>(m_random() % static_cast<std::uint64_t>(Step::count)));
    }
    unlockFolder();
    return isExplained() && comesBack() && takesTheNextChange();
  }

private:
  [[nodiscard]] std::uint64_t below(std::size_t count) { return m_random() % count; }
  bool fault(std::string_view what) const {
    fmt::print("FAULT: {}; steps:", what);
    for (const int step : m_steps) fmt::print(" {}", step);
    fmt::print("\n");
    for (const ChangeRecord& record : records()) fmt::print("{}", writeChangeRecord(record));
    return false;
  }
  [[nodiscard]] std::vector<ChangeRecord> records() const {
    return m_host.changes().list().value_or(std::vector<ChangeRecord>());
  }
  [[nodiscard]] std::uint32_t anyChange() {
    const auto all = records();
    return all.empty() ? 1 : all[below(all.size())].id;
  }
  [[nodiscard]] ChangeRequest anyRequest(bool persist, std::optional<Milliseconds> revertAfter) {
    ChangeRequest request{{}, {}, persist, revertAfter};
    for (const Setting& setting : kSettings) {
      if (below(2) == 0) request.settings.push_back({setting.key, setting.values[below(setting.values.size())]});
    }
    if (request.settings.empty()) request.settings.push_back({kSettings[0].key, kSettings[0].values[0]});
    return request;
  }
  /// Runs it in a child that is killed after some time of its own, perhaps after its end.
  template <class Work>
  void killedWhile(Work&& work) {
    const auto moment = static_cast<useconds_t>(below(4000));
    const pid_t child = fork();
    if (child == 0) {
      work();
      _exit(0);
    }
    usleep(moment);
    constexpr std::array kSignals = {SIGKILL, SIGTERM, SIGHUP};
    kill(child, kSignals[below(kSignals.size())]);
    waitpid(child, nullptr, 0);
  }
  void lockFolder() {
    namespace fs = std::filesystem;
    const fs::path folder = m_host.persisted().parent_path();
    if (!fs::is_directory(folder)) return;
    fs::rename(folder, folder.string() + ".away");
    std::ofstream{folder};
  }
  void unlockFolder() {
    namespace fs = std::filesystem;
    const fs::path folder = m_host.persisted().parent_path();
    if (fs::is_directory(folder)) return;
    fs::remove(folder);
    fs::rename(folder.string() + ".away", folder);
  }
  /// The kernel's settings are the defaults again, then those of the drop-in.
  void boot() {
    // Of a file that could not be written the revert says that its settings return at the next boot.
    unlockFolder();
    m_host.changes().settle();
    for (const Setting& setting : kSettings) {
      const std::string text = m_host.persistedText();
      std::string value = setting.original;
      for (const std::string& one : setting.values) {
        if (text.find(fmt::format("\n{} = {}\n", setting.key, one)) != std::string::npos) value = one;
      }
      ChangedHost::set(setting.key, value);
    }
    m_host.bootAgain(++m_boots);
  }
  void take(Step step) {
    m_steps.push_back(static_cast<int>(step));
    SysctlChanger changes = m_host.changes();
    switch (step) {
      case Step::apply:
        static_cast<void>(changes.apply(anyRequest(false, {})));
        break;
      case Step::applyOnTrial:
        // Ends during the round, after it, or never, as far as this round is concerned.
        static_cast<void>(changes.apply(anyRequest(below(2) == 0, Milliseconds(1 + below(40)))));
        break;
      case Step::applyPersistently:
        static_cast<void>(changes.apply(anyRequest(true, {})));
        break;
      case Step::confirm:
        static_cast<void>(changes.confirm(anyChange()));
        break;
      case Step::revert:
        static_cast<void>(changes.revert(anyChange()));
        break;
      case Step::settle:
        changes.settle();
        break;
      case Step::list:
        static_cast<void>(changes.list());
        break;
      case Step::compare:
        static_cast<void>(SettingComparison::begin(changes, anyChange()).map([](SettingComparison comparison) {
          static_cast<void>(comparison.choose(SettingVersion::original));
          static_cast<void>(comparison.choose(SettingVersion::changed));
        }));
        break;
      case Step::killedApply: {
        const ChangeRequest request = anyRequest(below(2) == 0, {});
        killedWhile([&] { static_cast<void>(changes.apply(request)); });
        break;
      }
      case Step::killedComparison: {
        const std::uint32_t id = anyChange();
        killedWhile([&] {
          static_cast<void>(SettingComparison::begin(changes, id).map([](SettingComparison comparison) {
            static_cast<void>(comparison.choose(SettingVersion::original));
            pause();
          }));
        });
        break;
      }
      case Step::lockFolder:
        lockFolder();
        break;
      case Step::unlockFolder:
        unlockFolder();
        break;
      case Step::boot:
        boot();
        break;
      case Step::count:
        break;
    }
  }

  /// Whatever is set is an original, or the journal names the change that set it.
  bool isExplained() {
    m_host.changes().settle();
    const auto all = m_host.changes().list();
    if (!all) return fault("the journal cannot be read");
    for (const ChangeRecord& record : *all) ++m_ends[std::string(name(record.state))];
    for (const Setting& setting : kSettings) {
      const std::string now = ChangedHost::setting(setting.key);
      const bool isKnown =
          now == setting.original || std::any_of(all->begin(), all->end(), [&](const auto& record) {
            return std::any_of(record.settings.begin(), record.settings.end(), [&](const ChangedSetting& one) {
              return one.key == setting.key && (one.wanted == now || one.original == now);
            });
          });
      if (!isKnown) return fault(fmt::format("{} is {}, unexplained", setting.key, now));
    }
    return true;
  }
  bool comesBack() {
    std::vector<ChangeRecord> open = records();
    std::erase_if(open, [](const ChangeRecord& record) { return !isOpen(record); });
    std::shuffle(open.begin(), open.end(), m_random);
    for (const ChangeRecord& record : open) {
      const auto reverted = m_host.changes().revert(record.id);
      // Its timer may have been faster.
      const bool isOver = reverted || reverted.error().kind == ChangeErrorKind::wrongState;
      if (!isOver) return fault(fmt::format("change {} cannot be reverted", record.id));
    }
    for (const Setting& setting : kSettings) {
      const std::string now = ChangedHost::setting(setting.key);
      if (now != setting.original) return fault(fmt::format("{} stays {}", setting.key, now));
    }
    // Where it could not be written meanwhile, the next call makes up for that.
    m_host.changes().settle();
    return !std::filesystem::exists(m_host.persisted()) || fault("the file for the next boot stays");
  }
  bool takesTheNextChange() {
    const auto made = m_host.changes().apply({{{kSettings[0].key, kSettings[0].values[0]}}, {}, true, {}});
    if (!made || !*made) return fault("the next change is refused");
    if (!m_host.changes().revert((*made)->id)) return fault("the next change cannot be reverted");
    return true;
  }

  ChangedHost m_host;
  Random& m_random;
  std::map<std::string, int>& m_ends;
  std::vector<int> m_steps;
  unsigned m_boots = 0;
};

int rounds(const KillOptions& options) {
  test::enterOwnNamespace();
  constexpr int kSkipped = 77;
  if (!test::hasOwnNamespace()) return fmt::print("no network namespace here\n"), kSkipped;
  std::map<std::string, int> ends;
  for (int round = 0; round < options.kills; ++round) {
    // Of its own, so that a fault is found again without the rounds before it.
    const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(round);
    Random random(seed);
    if (Round(random, ends).run()) continue;
    fmt::print("in round {}, --kills 1 --seed {}\n", round, seed);
    return 1;
  }
  fmt::print("{} rounds from seed {}; changes at their ends:", options.kills, options.seed);
  for (const auto& [state, count] : ends) fmt::print(" {} {},", count, state);
  fmt::print(" every original came back\n");
  return 0;
}

}  // namespace
}  // namespace tcpscope

int main(int argumentCount, char** arguments) {
  return tcpscope::rounds(tcpscope::KillOptions({arguments, static_cast<std::size_t>(argumentCount)}));
}
