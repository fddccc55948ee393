// Rounds of random steps of administrators, one after another and two at once, of kills, boots, suspends, clock steps,
// full disks and folders that cannot be written; and whether after each round the journals explain what is set, every
// original came back and the next change works: see README.md. 77 where there is no network namespace.
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
#include "core/changes/change_stack.h"
#include "core/changes/persisted_settings.h"
#include "tests/app/changes/changed_host.h"
#include "tests/kill/changed_settings.h"
#include "tests/kill/kill_options.h"
#include "tests/kill/small_disk.h"
#include "tests/kill/stepped_clock.h"
#include "tests/kill/tuned_connection.h"
#include "tests/support/own_namespace.h"

namespace tcpscope {
namespace {

using namespace std::chrono_literals;
using test::ChangedHost;

class Random {
public:
  explicit Random(std::uint64_t seed) : m_numbers(seed) {}

  std::uint64_t below(std::uint64_t count) { return m_numbers() % count; }
  bool coin() { return below(2) == 0; }
  template <class Container>
  const auto& oneOf(const Container& container) {
    return container[below(container.size())];
  }
  template <class Container>
  void shuffle(Container& container) {
    std::shuffle(container.begin(), container.end(), m_numbers);
  }
  std::uint64_t seed() { return m_numbers(); }

private:
  std::mt19937_64 m_numbers;
};

/// What the rounds found: kinds of end state, and what happened on the way there.
struct Figures {
  std::map<std::string, int> changes;
  std::map<std::string, int> connections;
  std::map<std::string, int> events;

  static void print(std::string_view title, const std::map<std::string, int>& counts) {
    fmt::print("  {}:", title);
    std::string_view separator = " ";
    for (const auto& [kind, count] : counts) fmt::print("{}{} {}", std::exchange(separator, ", "), count, kind);
    fmt::print("\n");
  }
};

/// What the administrators of a round share. Its members end in the reverse order.
struct Host {
  SmallDisk disk;
  SteppedClock clock;
  ChangedHost files{clock.clocks()};
  std::optional<TunedConnection> connection;
  unsigned boots = 0;

  Host() {
    for (const ChangeableSetting& setting : kSettings) ChangedHost::set(setting.key, setting.original);
    connect();
  }
  void connect() { connection.emplace(tuned(), SysctlTree(files.folders().root / "proc").bootId(), clock); }
  /// One a boot: its timers, which no real boot leaves, take the records of later ones for those of earlier ones.
  [[nodiscard]] std::filesystem::path tuned() const { return files.folders().root / fmt::format("tuned-{}", boots); }
  [[nodiscard]] std::vector<ChangeRecord> records() const {
    return files.changes().list().value_or(std::vector<ChangeRecord>());
  }
};

enum class Call : std::uint8_t {
  apply,
  applyOnTrial,
  applyPersistently,
  confirm,
  revert,
  settle,
  list,
  compare,
  tune,
  tuneOnTrial,
  keepTuned,
  undoTuned,
  settleTuned,
  count
};

/// Makes random calls, each of which may fail.
class Administrator {
public:
  Administrator(const Host& host, Random& random) : m_host(host), m_random(random) {}

  Call anyCall() { return static_cast<Call>(m_random.below(static_cast<std::uint64_t>(Call::count))); }
  void make(Call call) {
    SysctlChanger changes = m_host.files.changes();
    const OptionChanger tuner = m_host.connection->changer();
    switch (call) {
      case Call::apply:
        return ignore(changes.apply(anyRequest(false, {})));
      case Call::applyOnTrial:
        return ignore(changes.apply(anyRequest(m_random.coin(), anyTrial())));
      case Call::applyPersistently:
        return ignore(changes.apply(anyRequest(true, {})));
      case Call::confirm:
        return ignore(changes.confirm(anyChange()));
      case Call::revert:
        return ignore(changes.revert(anyChange()));
      case Call::settle:
        return changes.settle();
      case Call::list:
        return ignore(changes.list());
      case Call::compare:
        return ignore(SettingComparison::begin(changes, anyChange()).map([](SettingComparison comparison) {
          ignore(comparison.choose(SettingVersion::original));
          ignore(comparison.choose(SettingVersion::changed));
        }));
      case Call::tune:
        return ignore(tuner.tune(anyOptions()));
      case Call::tuneOnTrial:
        return ignore(tuner.tune(anyOptions(), anyTrial()));
      case Call::keepTuned:
        return ignore(tuner.confirm());
      case Call::undoTuned:
        return ignore(tuner.undo());
      case Call::settleTuned:
        return tuner.settle();
      case Call::count:
        return;
    }
  }
  /// Sets the originals for a comparison, and waits to be killed.
  void compareForEver() {
    ignore(SettingComparison::begin(m_host.files.changes(), anyChange()).map([](SettingComparison comparison) {
      ignore(comparison.choose(SettingVersion::original));
      pause();
    }));
  }

private:
  template <class Result>
  static void ignore(const Result& /*result*/) {}

  /// Ends during the round, after it, or never, as far as this round is concerned.
  Milliseconds anyTrial() { return Milliseconds(1 + m_random.below(40)); }
  std::uint32_t anyChange() {
    const auto all = m_host.records();
    return all.empty() ? 1 : m_random.oneOf(all).id;
  }
  ChangeRequest anyRequest(bool persist, std::optional<Milliseconds> revertAfter) {
    ChangeRequest request{{}, {}, persist, revertAfter};
    for (const ChangeableSetting& setting : kSettings) {
      if (m_random.coin()) request.settings.push_back({setting.key, m_random.oneOf(setting.values)});
    }
    if (request.settings.empty()) request.settings.push_back({kSettings[0].key, kSettings[0].values[0]});
    return request;
  }
  std::vector<OptionChange> anyOptions() {
    std::vector<std::string> words;
    for (const std::vector<std::string>& line : kOptionChanges) {
      if (m_random.coin()) words.push_back(m_random.oneOf(line));
    }
    return parseOptionChanges(words).value();
  }

  const Host& m_host;
  Random& m_random;
};

/// A step of the host, or one call of an administrator.
enum class Event : std::uint8_t {
  killedCall,
  killedComparison,
  twoAtOnce,
  lockFolder,
  unlockFolder,
  fillDisk,
  freeDisk,
  suspend,
  wallClockStep,
  boot,
  programCloses,
  programTunes,
  count
};

constexpr std::array<std::string_view, static_cast<std::size_t>(Event::count)> kEventNames = {
    "killed calls",   "killed comparisons", "calls of two at once",
    "locked folders", "unlocked folders",   "full disks",
    "freed disks",    "suspends",           "wall clock steps",
    "boots",          "closed connections", "options set by the program"};

/// One host, and what happens to it in a round.
class Round {
public:
  Round(std::uint64_t seed, Figures& figures) : m_random(seed), m_figures(figures) {}

  [[nodiscard]] bool canTune() const { return m_host.connection->isReachable(); }
  /// False after the fault was printed.
  bool run() {
    const std::uint64_t steps = 1 + m_random.below(20);
    for (std::uint64_t step = 0; step < steps; ++step) {
      if (m_random.below(3) == 0) {
        happen(static_cast<Event>(m_random.below(static_cast<std::uint64_t>(Event::count))));
      } else {
        Administrator administrator(m_host, m_random);
        const Call call = administrator.anyCall();
        m_steps += fmt::format(" call {},", static_cast<int>(call));
        administrator.make(call);
      }
    }
    unlockFolder();
    m_host.disk.free();
    return isExplained() && comesBack() && takesTheNextChange() && isFree(m_host.connection->notRestored());
  }

private:
  bool fault(std::string_view what) const {
    fmt::print("FAULT: {}; steps:{}\n", what, m_steps);
    for (const ChangeRecord& record : m_host.records()) fmt::print("{}", writeChangeRecord(record));
    return false;
  }
  [[nodiscard]] bool isFree(std::string_view what) const { return what.empty() || fault(what); }

  /// A child that does this work.
  template <class Work>
  static pid_t start(Work&& work) {
    const pid_t child = fork();
    if (child != 0) return child;
    work();
    _exit(0);
  }
  /// At some moment, perhaps after its end.
  void killSometime(pid_t child) {
    usleep(static_cast<useconds_t>(m_random.below(4000)));
    kill(child, m_random.oneOf(std::array{SIGKILL, SIGTERM, SIGHUP}));
    waitpid(child, nullptr, 0);
  }
  void twoAtOnce() {
    m_mayBeInterrupted = true;
    const auto calls = [this](std::uint64_t seed) {
      return start([this, seed] {
        Random random(seed);
        Administrator administrator(m_host, random);
        for (std::uint64_t call = 2 + random.below(5); call > 0; --call) administrator.make(administrator.anyCall());
      });
    };
    const pid_t killed = calls(m_random.seed());
    const pid_t other = calls(m_random.seed());
    // Some of it happens to both of them.
    switch (m_random.below(4)) {
      case 0:
        happen(Event::fillDisk);
        break;
      case 1:
        happen(Event::lockFolder);
        break;
      case 2:
        happen(Event::suspend);
        break;
      default:
        happen(Event::programCloses);
        break;
    }
    killSometime(killed);
    waitpid(other, nullptr, 0);
  }
  void lockFolder() const {
    namespace fs = std::filesystem;
    const fs::path folder = m_host.files.persisted().parent_path();
    if (!fs::is_directory(folder)) return;
    fs::rename(folder, folder.string() + ".away");
    std::ofstream{folder};
  }
  void unlockFolder() const {
    namespace fs = std::filesystem;
    const fs::path folder = m_host.files.persisted().parent_path();
    if (fs::is_directory(folder)) return;
    fs::remove(folder);
    fs::rename(folder.string() + ".away", folder);
  }
  /// The kernel's settings are the defaults again, then those of the drop-in.
  void boot() {
    // Of a file that could not be written the revert says that its settings return at the next boot.
    unlockFolder();
    m_host.disk.free();
    m_host.files.changes().settle();
    setDefaults();
    m_host.connect();
  }
  void setDefaults() {
    // A boot ends every process; here the timers go on, and must not write in the middle of it.
    const auto locked = ChangeJournal::open(m_host.files.journal());
    for (const ChangeableSetting& setting : kSettings) {
      const std::string text = m_host.files.persistedText();
      std::string value = setting.original;
      for (const std::string& one : setting.values) {
        if (text.find(fmt::format("\n{} = {}\n", setting.key, one)) != std::string::npos) value = one;
      }
      ChangedHost::set(setting.key, value);
    }
    m_host.files.bootAgain(++m_host.boots);
  }
  void happen(Event event) {
    m_steps += fmt::format(" {},", kEventNames.at(static_cast<std::size_t>(event)));
    ++m_figures.events[std::string(kEventNames.at(static_cast<std::size_t>(event)))];
    Administrator administrator(m_host, m_random);
    switch (event) {
      case Event::killedCall: {
        m_mayBeInterrupted = true;
        const Call call = administrator.anyCall();
        m_steps += fmt::format(" of call {},", static_cast<int>(call));
        return killSometime(start([&] { administrator.make(call); }));
      }
      case Event::killedComparison:
        return killSometime(start([&] { administrator.compareForEver(); }));
      case Event::twoAtOnce:
        return twoAtOnce();
      case Event::lockFolder:
        return lockFolder();
      case Event::unlockFolder:
        return unlockFolder();
      case Event::fillDisk:
        m_mayBeInterrupted = true;
        return m_host.disk.fill(m_random.below(5));
      case Event::freeDisk:
        return m_host.disk.free();
      case Event::suspend:
        return m_host.clock.suspend(Milliseconds(m_random.below(60)));
      case Event::wallClockStep:
        // Up to the last second that the kernel's clock takes.
        return m_host.clock.setWall(static_cast<std::int64_t>(m_random.below(9'223'372'036)));
      case Event::boot:
        return boot();
      case Event::programCloses:
        return m_host.connection->close();
      case Event::programTunes:
        return m_host.connection->setUserTimeout(static_cast<int>(1000 * (1 + m_random.below(50))));
      case Event::count:
        return;
    }
  }

  bool isExplained() {
    m_host.files.changes().settle();
    std::string end;
    const std::string what = m_host.connection->unexplained(end, m_mayBeInterrupted);
    ++m_figures.connections[end];
    if (!isFree(what)) return false;
    if (!std::filesystem::exists(m_host.files.journal())) return true;
    // Locked, so that no timer changes anything meanwhile.
    const auto journal = ChangeJournal::open(m_host.files.journal());
    const auto all = journal.and_then([](const ChangeJournal& opened) { return opened.records(); });
    if (!all) return faultOf("the journal cannot be read", {});
    for (const ChangeRecord& record : *all) ++m_figures.changes[std::string(name(record.state))];
    if (m_host.files.persistedText() != persistedSettings(*all)) {
      return faultOf("the file for the next boot is not that of the journal", *all);
    }
    for (const ChangeableSetting& setting : kSettings) {
      const std::string now = ChangedHost::setting(setting.key);
      if (now != setting.original && !isKnown(*all, setting.key, now)) {
        return faultOf(fmt::format("{} is {}, unexplained", setting.key, now), *all);
      }
    }
    for (const ChangeRecord& record : *all) {
      const std::string lie = notInForce(*all, record);
      if (!lie.empty()) return faultOf(lie, *all);
    }
    return true;
  }
  /// With the journal locked.
  [[nodiscard]] bool faultOf(std::string_view what, const std::vector<ChangeRecord>& records) const {
    fmt::print("FAULT: {}; steps:{}\n", what, m_steps);
    for (const ChangeRecord& record : records) fmt::print("{}", writeChangeRecord(record));
    return false;
  }
  static bool isKnown(const std::vector<ChangeRecord>& all, const std::string& key, const std::string& now) {
    return std::any_of(all.begin(), all.end(), [&](const ChangeRecord& record) {
      return isOpen(record) && std::any_of(record.settings.begin(), record.settings.end(), [&](const auto& one) {
               return one.key == key && (one.wanted == now || one.original == now);
             });
    });
  }
  /// Of an open change: several reverts may have been interrupted.
  static bool isOriginal(const std::vector<ChangeRecord>& all, const std::string& key, const std::string& now) {
    return std::any_of(all.begin(), all.end(), [&](const ChangeRecord& record) {
      return isOpen(record) && std::any_of(record.settings.begin(), record.settings.end(),
                                           [&](const auto& one) { return one.key == key && one.original == now; });
    });
  }
  /// An open change is in force, except below another one, in a comparison, or where its end was interrupted.
  [[nodiscard]] std::string notInForce(const std::vector<ChangeRecord>& all, const ChangeRecord& record) const {
    const bool isInterrupted = record.state == ChangeState::preparing || record.inForce == SettingVersion::original;
    if (!isOpen(record) || isInterrupted) return "";
    for (const ChangedSetting& setting : record.settings) {
      const std::string now = ChangedHost::setting(setting.key);
      if (now == setting.wanted || coveringChange(all, record, setting.key) != nullptr) continue;
      if (m_mayBeInterrupted && isOriginal(all, setting.key, now)) continue;
      return fmt::format("{} of change {} is {} instead of {}", setting.key, record.id, now, setting.wanted);
    }
    return "";
  }
  bool comesBack() {
    std::vector<ChangeRecord> open = m_host.records();
    std::erase_if(open, [](const ChangeRecord& record) { return !isOpen(record); });
    m_random.shuffle(open);
    for (const ChangeRecord& record : open) {
      const auto reverted = m_host.files.changes().revert(record.id);
      // Its timer may have been faster.
      const bool isOver = reverted || reverted.error().kind == ChangeErrorKind::wrongState;
      if (!isOver) return fault(fmt::format("change {} cannot be reverted", record.id));
    }
    for (const ChangeableSetting& setting : kSettings) {
      const std::string now = ChangedHost::setting(setting.key);
      if (now != setting.original) return fault(fmt::format("{} stays {}", setting.key, now));
    }
    // Where it could not be written meanwhile, the next call makes up for that.
    m_host.files.changes().settle();
    return !std::filesystem::exists(m_host.files.persisted()) || fault("the file for the next boot stays");
  }
  bool takesTheNextChange() {
    const auto made = m_host.files.changes().apply({{{kSettings[0].key, kSettings[0].values[0]}}, {}, true, {}});
    if (!made || !*made) return fault("the next change is refused");
    if (!m_host.files.changes().revert((*made)->id)) return fault("the next change cannot be reverted");
    return true;
  }

  Host m_host;
  Random m_random;
  Figures& m_figures;
  std::string m_steps;
  /// A kill or a full disk may have left a change open whose originals are set again.
  bool m_mayBeInterrupted = false;
};

int rounds(const KillOptions& options) {
  test::enterOwnNamespace();
  constexpr int kSkipped = 77;
  if (!test::hasOwnNamespace()) return fmt::print("no network namespace here\n"), kSkipped;
  if (!SmallDisk::enterOwnNamespace()) return fmt::print("no mount namespace here\n"), kSkipped;
  Figures figures;
  for (int round = 0; round < options.kills; ++round) {
    // Of its own, so that a fault is found again without the rounds before it.
    const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(round);
    Round one(seed, figures);
    if (!one.canTune()) return fmt::print("no right to reach into another process here\n"), kSkipped;
    if (one.run()) continue;
    fmt::print("in round {}, --kills 1 --seed {}\n", round, seed);
    return 1;
  }
  fmt::print("{} rounds from seed {}; every original came back\n", options.kills, options.seed);
  Figures::print("changes at their ends", figures.changes);
  Figures::print("connections at their ends", figures.connections);
  Figures::print("on the way", figures.events);
  return 0;
}

}  // namespace
}  // namespace tcpscope

int main(int argumentCount, char** arguments) {
  return tcpscope::rounds(tcpscope::KillOptions({arguments, static_cast<std::size_t>(argumentCount)}));
}
