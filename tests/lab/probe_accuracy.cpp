// Probes over the lab's path, of which it is known what it drops: at random, in bursts, or by size. Prints each verdict
// and how many are right; fails unless all are.
//
//   probe_accuracy [--runs N] [--seconds S] [--jobs N] [--seed N]
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include "app/probe/probe_listener.h"
#include "app/probe/probe_sender.h"
#include "collectors/system/monotonic_clock.h"
#include "core/present/text/probe_text.h"
#include "tests/support/path_relay.h"

namespace {

using namespace tcpscope;
using test::NetworkHost;

constexpr std::uint16_t kPort = 5301;
constexpr int kNoLab = 77;

struct PathClass {
  const char* name;
  lab::LinkSettings link;
  ProbeVerdict truth;
};

std::vector<PathClass> pathClasses() {
  lab::LinkSettings random;
  random.delay = Milliseconds(20);
  random.loss = lab::BernoulliLoss{0.01};
  lab::LinkSettings bursts;
  bursts.delay = Milliseconds(20);
  bursts.loss = lab::GilbertElliottLoss{0.002, 0.2, 0.0, 0.8};
  // The small packets stay below its rate, the large ones are twice as fast.
  lab::LinkSettings bySize;
  bySize.delay = Milliseconds(20);
  bySize.rate = BitsPerSecond(500e3);
  bySize.queue = {Bytes(4000), lab::Policer{}};
  return {{"loss at random", random, ProbeVerdict::independent},
          {"loss in bursts", bursts, ProbeVerdict::bursts},
          {"loss by size", bySize, ProbeVerdict::rejected}};
}

struct Settings {
  std::size_t runs = 20;
  double seconds = 40.0;
  std::size_t jobs = 4;
  std::uint64_t seed = 1;
};

/// What a probing process leaves behind, in memory that it shares with its parent.
struct Seen {
  bool isThere = false;
  ProbeVerdict verdict = ProbeVerdict::rejected;
  /// Where it is rejected: for its losses, and nothing else.
  bool isByLoss = false;
  double rateRatio = 0.0;
  char text[256] = "";
};

void measure(const Settings& settings, Seen& seen) {
  prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
  const auto plan = probePlan(kDefaultProbeRate, Nanoseconds(static_cast<std::int64_t>(settings.seconds * 1e9)));
  auto sender = ProbeSender::connect({IpAddress::v4({10, 77, 0, 2}), kPort}, -1);
  if (!plan || !sender) return;
  std::array<ProbeRun, 2> runs;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    auto measured = sender->run((*plan)[run]);
    if (!measured) return;
    runs[run] = std::move(*measured);
  }
  sender->finish();
  const ProbeAnalysis analysis = analyzeProbe(runs);
  seen.verdict = analysis.verdict;
  seen.isByLoss = analysis.faults == std::vector{ProbeFault::lossDependsOnSize};
  seen.rateRatio = analysis.runs[1].rate ? analysis.runs[1].rate->value() / (*plan)[1].rate().value() : 0.0;
  std::strncpy(seen.text, sentence(analysis).c_str(), sizeof seen.text - 1);
  seen.isThere = true;
}

/// One measurement between two hosts of its own.
void probeOnce(const PathClass& path, const Settings& settings, std::uint64_t seed, Seen& seen) {
  auto sender = NetworkHost::make({"10.77.0.1", 1500, {}});
  auto receiver = NetworkHost::make({"10.77.0.2", 1500, {}});
  if (!sender || !receiver) std::_Exit(kNoLab);
  lab::PathSettings between = test::betweenTwoHosts({path.link, lab::LinkSettings{}});
  between.seed = seed;
  const std::array<const NetworkHost*, 2> hosts = {sender->get(), receiver->get()};
  const test::PathRelay relay(hosts, between);
  // It listens before a sender can ask.
  std::array<int, 2> ready{};
  if (pipe(ready.data()) != 0) std::_Exit(EXIT_FAILURE);
  (*receiver)->start([&] {
    auto listener = ProbeListener::open(kPort, -1);
    const char works = listener ? 'y' : 'n';
    if (write(ready[1], &works, 1) == 1 && listener) listener->serveOne();
  });
  char works = 'n';
  if (read(ready[0], &works, 1) != 1 || works != 'y') std::_Exit(EXIT_FAILURE);
  const pid_t probing = (*sender)->start([&] { measure(settings, seen); });
  waitpid(probing, nullptr, 0);
}

Settings read(int argc, char** argv) {
  Settings settings;
  for (int word = 1; word + 1 < argc; word += 2) {
    const std::string name = argv[word];
    const double number = std::atof(argv[word + 1]);
    if (name == "--runs") settings.runs = static_cast<std::size_t>(number);
    if (name == "--seconds") settings.seconds = number;
    if (name == "--jobs") settings.jobs = static_cast<std::size_t>(number);
    if (name == "--seed") settings.seed = static_cast<std::uint64_t>(number);
  }
  return settings;
}

/// A number of measurements beside each other, each in a process of its own.
int runAll(const std::vector<PathClass>& paths, const Settings& settings, std::vector<Seen*> seen) {
  std::size_t running = 0;
  int code = EXIT_SUCCESS;
  const auto awaitOne = [&] {
    int status = 0;
    if (wait(&status) > 0) --running;
    if (WIFEXITED(status) && WEXITSTATUS(status) != 0) code = WEXITSTATUS(status);
  };
  for (std::size_t number = 0; number < seen.size(); ++number) {
    if (running == settings.jobs) awaitOne();
    if (fork() == 0) {
      probeOnce(paths[number / settings.runs], settings, settings.seed + number, *seen[number]);
      std::_Exit(EXIT_SUCCESS);
    }
    ++running;
  }
  while (running > 0) awaitOne();
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = read(argc, argv);
  const std::vector<PathClass> paths = pathClasses();
  const std::size_t count = paths.size() * settings.runs;
  void* memory = mmap(nullptr, count * sizeof(Seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return EXIT_FAILURE;
  std::vector<Seen*> seen;
  for (std::size_t number = 0; number < count; ++number) seen.push_back(new (static_cast<Seen*>(memory) + number) Seen);
  if (const int code = runAll(paths, settings, seen); code != EXIT_SUCCESS) return code;
  bool isAllRight = true;
  for (std::size_t path = 0; path < paths.size(); ++path) {
    std::size_t right = 0;
    double furthest = 0.0;
    for (std::size_t run = 0; run < settings.runs; ++run) {
      const Seen& one = *seen[path * settings.runs + run];
      const bool isRight =
          one.isThere && one.verdict == paths[path].truth && (one.verdict != ProbeVerdict::rejected || one.isByLoss);
      right += isRight ? 1U : 0U;
      furthest = std::max(furthest, std::abs(one.rateRatio - 1.0));
      if (!isRight)
        fmt::print("  {}, seed {}: {}\n", paths[path].name, settings.seed + path * settings.runs + run, one.text);
    }
    fmt::print("{}: {} of {} right, rate at most {:.2f} % off\n", paths[path].name, right, settings.runs,
               100 * furthest);
    isAllRight = isAllRight && right == settings.runs;
  }
  return isAllRight ? EXIT_SUCCESS : EXIT_FAILURE;
}
