// Figure 3: one connection at 1 kHz. How many slots get their sample in time, alone and while 50,000 sockets are
// dumped, and what it costs against a bare timer loop that makes the same request.
#include <fmt/core.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cmath>
#include <ctime>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "collectors/sock_diag/netlink_socket.h"
#include "collectors/sock_diag/sock_diag_collector.h"
#include "tests/bench/bare_dump.h"
#include "tests/bench/held_connections.h"
#include "tests/bench/live_parts.h"
#include "tests/bench/measurement.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

constexpr double kSlotSeconds = 1e-3;
constexpr double kToleranceSeconds = 0.5e-3;

/// One request that never changes; woken for the stop.
class FixedRequest final : public RequestSource {
public:
  explicit FixedRequest(const CollectorRequest& request) : m_request(request), m_descriptor(eventfd(0, EFD_NONBLOCK)) {}
  ~FixedRequest() override { close(m_descriptor); }
  [[nodiscard]] int wakeDescriptor() const override { return m_descriptor; }
  CollectorRequest take() override { return m_request; }
  void wake() const { eventfd_write(m_descriptor, 1); }

private:
  CollectorRequest m_request;
  int m_descriptor;
};

struct Run {
  /// When each sample was taken, in seconds.
  std::vector<double> samples;
  double cpuSeconds = 0.0;
};

/// What the collector hands on waits here until the analysis comes round.
class WaitingBatches {
public:
  void push(ObservationBatch&& batch) {
    const std::lock_guard lock(m_mutex);
    m_batches.push_back(std::move(batch));
  }
  std::vector<ObservationBatch> takeAll() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_batches, {});
  }

private:
  std::mutex m_mutex;
  std::vector<ObservationBatch> m_batches;
};

/// Twenty times a second: takes in what waits and makes a snapshot.
void analyse(std::stop_token stop, const SocketAddress& focus, WaitingBatches& waiting) {
  AnalysisSession session;
  SessionControl control;
  control.focus = focus.id;
  session.setControl(control);
  std::shared_ptr<const SessionSnapshot> shown;
  while (!stop.stop_requested()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (const ObservationBatch& batch : waiting.takeAll()) session.accept(batch);
    shown = session.tick(monotonicNow());
  }
}

/// Collector and analysis on a thread each; both count.
Run collect(const SocketAddress& socket, Milliseconds listInterval, double seconds) {
  CollectorRequest wanted;
  wanted.listInterval = listInterval;
  wanted.focus = socket;
  wanted.focusInterval = Microseconds(1000);
  FixedRequest requests(wanted);
  auto collector = SockDiagCollector::open(ownSockDiagAccess(), SockDiagSettings{});
  WaitingBatches waiting;
  Run run;
  run.samples.reserve(static_cast<std::size_t>(seconds / kSlotSeconds) + 100);
  const ObservationSink sink = [&](ObservationBatch&& batch) {
    if (batch.rate == SampleRate::focus && !batch.changed.empty()) {
      run.samples.push_back(batch.changed.front().takenAt.seconds());
    }
    waiting.push(std::move(batch));
    return true;
  };
  double analysing = 0.0;
  std::jthread analysis(
      [&](std::stop_token stop) { analysing = threadCpuOf([&] { analyse(stop, socket, waiting); }); });
  std::jthread collection(
      [&](std::stop_token stop) { run.cpuSeconds = threadCpuOf([&] { (*collector)->run(stop, requests, sink); }); });
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  collection.request_stop();
  requests.wake();
  collection.join();
  analysis.request_stop();
  analysis.join();
  run.cpuSeconds += analysing;
  return run;
}

/// An absolute timer and the request, nothing else.
Run bareLoop(const SocketAddress& socket, double seconds) {
  Run run;
  const auto slots = static_cast<std::size_t>(seconds / kSlotSeconds);
  run.samples.reserve(slots);
  std::jthread thread([&] {
    prctl(PR_SET_TIMERSLACK, 1000UL, 0, 0, 0);
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
};

BesideBare compare(const SocketAddress& socket, Milliseconds listInterval, double seconds, int rounds) {
  std::vector<double> ourPercent;
  std::vector<double> barePercent;
  std::vector<double> ourCpu;
  std::vector<double> bareCpu;
  for (int round = 0; round < rounds; ++round) {
    const Run ours = collect(socket, listInterval, seconds);
    const Run bare = bareLoop(socket, seconds);
    ourPercent.push_back(punctualPercent(ours.samples));
    barePercent.push_back(punctualPercent(bare.samples));
    ourCpu.push_back(ours.cpuSeconds / seconds);
    bareCpu.push_back(bare.cpuSeconds / seconds);
  }
  return {median(ourPercent), median(barePercent), median(ourCpu), median(bareCpu)};
}

void tellPunctuality(const std::string& name, const BesideBare& result, std::optional<double> target) {
  tell({name, fmt::format("{:.2f} %", result.ourPercent), fmt::format("bare loop {:.2f} %", result.barePercent),
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
  const int rounds = quick ? 1 : 5;
  const auto targetUnlessQuick = [&](double target) { return quick ? std::nullopt : std::optional(target); };
  HeldConnections one(2);
  const SocketAddress socket = pickConnection();
  const BesideBare alone = compare(socket, Milliseconds(1000), seconds, rounds);
  tellPunctuality("1 kHz: samples within 0.5 ms of their slot", alone, targetUnlessQuick(99.0));
  tell({"1 kHz: processor time", fmt::format("{:.2f} % of a core", alone.ourCpuShare * 100.0),
        fmt::format("bare loop {:.2f} %", alone.bareCpuShare * 100.0), alone.ourCpuShare / alone.bareCpuShare, "ratio",
        targetUnlessQuick(1.5)});
  const std::size_t sockets = quick ? 1'000 : 50'000;
  HeldConnections many(sockets);
  // Ten dumps a second are more than fit: the collector dumps a quarter of the time.
  const BesideBare dumping = compare(socket, Milliseconds(100), seconds, rounds);
  tellPunctuality(fmt::format("1 kHz while {} sockets are dumped", sockets), dumping, targetUnlessQuick(99.0));
  return 0;
}
