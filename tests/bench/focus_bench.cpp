// Figure 3: one connection at 1 kHz. How many slots get their sample in time, alone and while 50,000 sockets are
// dumped, and what it costs against a bare timer loop that makes the same request.
//
// Ours is a live session as the desktop runs it: what counts is what arrives in the history of the newest snapshot.
#include <fmt/core.h>
#include <sys/prctl.h>

#include <cmath>
#include <cstdlib>
#include <ctime>
#include <set>
#include <thread>

#include "app/session/local_place.h"
#include "tests/bench/bare_dump.h"
#include "tests/bench/held_connections.h"
#include "tests/bench/live_parts.h"
#include "tests/bench/measurement.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

constexpr double kSlotSeconds = 1e-3;
constexpr double kToleranceSeconds = 0.5e-3;
/// Samples that arrive before the measurement begins: threads run, all sockets are known.
constexpr std::size_t kSamplesToSettle = 500;

struct Run {
  /// When each sample was taken, in seconds.
  std::vector<double> samples;
  double cpuSeconds = 0.0;
};

std::size_t samplesOf(const SessionSnapshot* snapshot, ConnectionId id) {
  if (snapshot == nullptr) return 0;
  const auto detail = snapshot->details.find(id);
  return detail == snapshot->details.end() ? 0 : detail->second->history.sampleCount();
}

std::unique_ptr<LiveSession> openSession(const SocketAddress& socket, Milliseconds listInterval) {
  LocalSessionSettings settings;
  settings.control.focus = socket.id;
  settings.control.focusInterval = Microseconds(1000);
  settings.control.listInterval = listInterval;
  settings.resolveOwners = false;
  auto session =
      findLocalPlace(std::nullopt).and_then([&](const LocalPlace& place) { return openLocalSession(place, settings); });
  if (session) return std::move(*session);
  fmt::print(stderr, "no live session here\n");
  std::exit(EXIT_FAILURE);
}

Run watch(const SocketAddress& socket, Milliseconds listInterval, double seconds) {
  const std::unique_ptr<LiveSession> session = openSession(socket, listInterval);
  while (samplesOf(session->latest().get(), socket.id) < kSamplesToSettle) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  Run run;
  const double began = wallSeconds();
  // All threads of the process together; this one sleeps.
  run.cpuSeconds = -processCpuSeconds();
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  run.cpuSeconds += processCpuSeconds();
  const auto snapshot = session->latest();
  for (const auto& chunk : snapshot->details.at(socket.id)->history.chunks()) {
    for (const Moment time : chunk->times()) {
      if (time.seconds() >= began) run.samples.push_back(time.seconds());
    }
  }
  return run;
}

/// An absolute timer and the request, nothing else.
Run bareLoop(const SocketAddress& socket, double seconds) {
  Run run;
  const auto slots = static_cast<std::size_t>(seconds / kSlotSeconds);
  run.samples.reserve(slots);
  std::jthread thread([&] {
    prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
    BareDump door;
    timespec next{};
    clock_gettime(CLOCK_MONOTONIC, &next);
    run.cpuSeconds = threadCpuOf([&] {
      for (std::size_t slot = 0; slot < slots; ++slot) {
        next.tv_nsec += 1'000'000;
        next.tv_sec += next.tv_nsec / 1'000'000'000;
        next.tv_nsec %= 1'000'000'000;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, nullptr);
        door.ask(socket);
        run.samples.push_back(wallSeconds());
      }
    });
  });
  thread.join();
  return run;
}

/// Share of the slots, in percent, that have a sample within the tolerance. The grid is where nearly all samples lie:
/// its phase is their first percent, since a sample may be late but never early.
double punctualPercent(const std::vector<double>& samples) {
  const double first = samples.front();
  std::vector<double> lateness;
  for (const double sample : samples) lateness.push_back(std::remainder(sample - first, kSlotSeconds));
  const double phase = first + quantile(lateness, 0.01);
  std::set<long> filled;
  for (const double sample : samples) {
    const long slot = std::lround((sample - phase) / kSlotSeconds);
    if (std::abs(sample - phase - static_cast<double>(slot) * kSlotSeconds) <= kToleranceSeconds) filled.insert(slot);
  }
  const long slots = std::lround((samples.back() - phase) / kSlotSeconds) + 1;
  return 100.0 * static_cast<double>(filled.size()) / static_cast<double>(slots);
}

struct BesideBare {
  double ourPercent = 0.0;
  double barePercent = 0.0;
  double ourCpuShare = 0.0;
  double bareCpuShare = 0.0;
  /// Of neighbours: the machine may be faster at one time than at another.
  double cpuRatio = 0.0;
};

BesideBare compare(const SocketAddress& socket, Milliseconds listInterval, double seconds, int rounds) {
  std::vector<double> ourPercent;
  std::vector<double> barePercent;
  std::vector<double> ourCpu;
  std::vector<double> bareCpu;
  std::vector<double> cpuRatios;
  for (int round = 0; round < rounds; ++round) {
    const Run ours = watch(socket, listInterval, seconds);
    const Run bare = bareLoop(socket, seconds);
    ourPercent.push_back(punctualPercent(ours.samples));
    barePercent.push_back(punctualPercent(bare.samples));
    ourCpu.push_back(ours.cpuSeconds / seconds);
    bareCpu.push_back(bare.cpuSeconds / seconds);
    cpuRatios.push_back(ourCpu.back() / bareCpu.back());
  }
  return {median(ourPercent), median(barePercent), median(ourCpu), median(bareCpu), median(cpuRatios)};
}

void publishPunctuality(const std::string& name, const BesideBare& result, std::optional<double> target) {
  publish({name, fmt::format("{:.2f} %", result.ourPercent), fmt::format("bare loop {:.2f} %", result.barePercent),
           result.ourPercent, "%", target, true});
}

SocketAddress pickConnection() {
  LiveParts parts;
  parts.cycle();
  return parts.anyConnection();
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  const double seconds = quick ? 0.3 : 4.0;
  const int rounds = quick ? 1 : 7;
  const auto targetUnlessQuick = [&](double target) { return quick ? std::nullopt : std::optional(target); };
  HeldConnections one(2);
  const SocketAddress socket = pickConnection();
  const BesideBare alone = compare(socket, Milliseconds(1000), seconds, rounds);
  publishPunctuality("1 kHz: samples within 0.5 ms of their slot", alone, targetUnlessQuick(99.0));
  publish({"1 kHz: processor time", fmt::format("{:.2f} % of a core", alone.ourCpuShare * 100.0),
           fmt::format("bare loop {:.2f} %", alone.bareCpuShare * 100.0), alone.cpuRatio, "ratio",
           targetUnlessQuick(1.2)});
  const std::size_t sockets = quick ? 1'000 : 50'000;
  HeldConnections many(sockets);
  // Ten dumps a second are more than fit: the collector dumps a quarter of the time.
  const BesideBare dumping = compare(socket, Milliseconds(100), seconds, rounds);
  publishPunctuality(fmt::format("1 kHz while {} sockets are dumped", sockets), dumping, targetUnlessQuick(99.0));
  return 0;
}
