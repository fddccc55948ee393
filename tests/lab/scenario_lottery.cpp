#include "tests/lab/scenario_lottery.h"

#include <array>
#include <cmath>

#include "tests/lab/two_host_scenario.h"

namespace tcpscope::lab {

namespace {

using namespace std::chrono_literals;

/// How much wider the next limit is, at least.
constexpr double kMargin = 1.5;
constexpr double kSegmentBytes = 1448.0;

double between(Lottery& lottery, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(lottery);
}

/// Evenly over orders of magnitude.
double over(Lottery& lottery, double low, double high) {
  return std::exp(between(lottery, std::log(low), std::log(high)));
}

bool oneIn(Lottery& lottery, int count) {
  return std::uniform_int_distribution<int>(1, count)(lottery) == 1;
}

/// Rates in bit/s, RTTs in seconds.
struct Path {
  double rate = 0.0;
  double rtt = 0.0;
  [[nodiscard]] double bytes() const { return rate * rtt / 8.0; }
};

Bytes bytes(double count) {
  return Bytes(static_cast<std::uint64_t>(std::llround(count)));
}

Scenario over(Lottery& lottery, const Path& path, double queueBytes) {
  const auto delay = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(path.rtt / 2.0));
  const Bytes queue = bytes(std::max(queueBytes, 2.0 * 1514.0));
  Scenario scenario =
      twoHostScenario("drawn", "Drawn by lot", cleanLink(BitsPerSecond(std::round(path.rate)), delay, queue));
  scenario.duration = 8s;
  scenario.warmUp = 3s;
  scenario.traffic.front().ipv6 = oneIn(lottery, 4);
  scenario.path.seed = lottery() % 1'000'000;
  return scenario;
}

/// With room for a window of its own: a queue of about one RTT.
Scenario overGoodPath(Lottery& lottery, const Path& path) {
  return over(lottery, path, between(lottery, 0.9, 1.3) * path.bytes());
}

Path anyPath(Lottery& lottery) {
  return {over(lottery, 8e6, 100e6), over(lottery, 0.012, 0.08)};
}

TrafficSettings& mainOf(Scenario& scenario) {
  return scenario.traffic.front();
}

std::map<std::string, std::string>& sysctlsOf(Scenario& scenario, std::size_t host) {
  return scenario.hosts[host].sysctls;
}

constexpr std::size_t kSender = 0;
constexpr std::size_t kReceiver = 1;

/// A path that carries `factor` times what a window allows.
Path widerThan(Lottery& lottery, double windowBytes) {
  const double rtt = over(lottery, 0.015, 0.08);
  const double rate = windowBytes * 8.0 / rtt * between(lottery, kMargin, 4.0);
  return {std::max(rate, 4e6), rtt};
}

std::string three(double low, double middle, double high) {
  return std::to_string(std::llround(low)) + " " + std::to_string(std::llround(middle)) + " " +
         std::to_string(std::llround(high));
}

Scenario receiveBufferLimit(Lottery& lottery) {
  // Of a buffer up to 219/256 become window, once the kernel knows how the packets fill their memory.
  const double window = over(lottery, 24e3, 200e3);
  Scenario scenario = overGoodPath(lottery, widerThan(lottery, window));
  const double buffer = window * 256.0 / 219.0;
  sysctlsOf(scenario, kReceiver)["net.ipv4.tcp_rmem"] = three(4096, std::min(buffer, 65536.0), buffer);
  return scenario;
}

Scenario receiveBufferLocked(Lottery& lottery) {
  // The kernel chooses the window scale by the size that was asked for, but gives twice that much: from 38 to 64 and
  // from 76 to 128 KB it is the scale that caps the window, and not the buffer.
  const double asked = oneIn(lottery, 3) ? over(lottery, 66e3, 76e3) : over(lottery, 16e3, 38e3);
  Scenario scenario = overGoodPath(lottery, widerThan(lottery, 2.0 * asked));
  mainOf(scenario).receiveBuffer = bytes(asked);
  return scenario;
}

Scenario windowScale(Lottery& lottery) {
  Scenario scenario = overGoodPath(lottery, widerThan(lottery, 65535.0));
  sysctlsOf(scenario, oneIn(lottery, 2) ? kReceiver : kSender)["net.ipv4.tcp_window_scaling"] = "0";
  sysctlsOf(scenario, kReceiver)["net.ipv4.tcp_rmem"] = three(4096, 1e6, 6e6);
  return scenario;
}

Scenario slowReader(Lottery& lottery) {
  const Path path = anyPath(lottery);
  Scenario scenario = overGoodPath(lottery, path);
  const double rate = path.rate / between(lottery, kMargin * 1.2, 8.0);
  // It reads a small part of what waits: one that takes all of it at once and rests would be faster with more room.
  constexpr double kLargestRead = 20e3;
  const double rest = std::min(over(lottery, 0.005, 0.1), kLargestRead * 8.0 / rate);
  mainOf(scenario).readSize = bytes(std::max(rate * rest / 8.0, 1000.0));
  mainOf(scenario).readRest = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(rest));
  return scenario;
}

Scenario sendBufferLocked(Lottery& lottery) {
  const double asked = over(lottery, 16e3, 120e3);
  Scenario scenario = overGoodPath(lottery, widerThan(lottery, 2.0 * asked));
  mainOf(scenario).sendBuffer = bytes(asked);
  return scenario;
}

Scenario sendBufferLimit(Lottery& lottery) {
  const double buffer = over(lottery, 32e3, 240e3);
  Scenario scenario = overGoodPath(lottery, widerThan(lottery, buffer));
  sysctlsOf(scenario, kSender)["net.ipv4.tcp_wmem"] = three(4096, std::min(buffer, 16384.0), buffer);
  return scenario;
}

Scenario slowWriter(Lottery& lottery) {
  const Path path = anyPath(lottery);
  Scenario scenario = overGoodPath(lottery, path);
  TrafficSettings& traffic = mainOf(scenario);
  traffic.kind = TrafficKind::pausing;
  const double rate = path.rate / between(lottery, kMargin * 2.0, 10.0);
  // The queue holds what it writes at once: otherwise losses would make the path the limit between the rests.
  const double burst = 0.8 * path.bytes();
  const double rest = std::min(over(lottery, 0.01, 0.5), burst * 8.0 / rate);
  traffic.writeSize = bytes(std::max(rate * rest / 8.0, 500.0));
  traffic.writeRest = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(rest));
  return scenario;
}

Scenario idle(Lottery& lottery) {
  Scenario scenario = overGoodPath(lottery, anyPath(lottery));
  mainOf(scenario).kind = TrafficKind::silent;
  scenario.duration = 4s;
  scenario.warmUp = 1s;
  return scenario;
}

Scenario pacing(Lottery& lottery) {
  const Path path = anyPath(lottery);
  Scenario scenario = overGoodPath(lottery, path);
  mainOf(scenario).kind = TrafficKind::paced;
  mainOf(scenario).pacingRate = BitsPerSecond(std::round(path.rate / between(lottery, kMargin, 6.0)));
  return scenario;
}

Scenario pathFull(Lottery& lottery) {
  Path path = anyPath(lottery);
  // A window of some dozens of packets: below that every loss empties the path.
  path.rate = std::max(path.rate, 40.0 * kSegmentBytes * 8.0 / path.rtt);
  Scenario scenario = overGoodPath(lottery, path);
  mainOf(scenario).congestionControl = oneIn(lottery, 2) ? "cubic" : "reno";
  return scenario;
}

Scenario bloatedQueue(Lottery& lottery) {
  Path path{over(lottery, 8e6, 50e6), over(lottery, 0.012, 0.04)};
  const double queueSeconds = std::max(between(lottery, 5.0, 10.0) * path.rtt, 0.15);
  return over(lottery, path, queueSeconds * path.rate / 8.0);
}

/// Rate of a loss-based control in bit/s; Mathis et al. 1997, with the constant measured for Linux.
double mathisRate(double rtt, double lossRatio) {
  return 1.31 * kSegmentBytes * 8.0 / (rtt * std::sqrt(lossRatio));
}

Scenario randomLoss(Lottery& lottery) {
  const double rtt = over(lottery, 0.012, 0.06);
  const double ratio = over(lottery, 0.0008, 0.015);
  // CUBIC may be up to half as fast again as Reno in this range.
  const double rate = mathisRate(rtt, ratio) * 1.5 * between(lottery, kMargin, 4.0);
  Scenario scenario = overGoodPath(lottery, {rate, rtt});
  LinkSettings& link = scenario.path.path.forward;
  link.loss = BernoulliLoss{ratio};
  if (oneIn(lottery, 4)) link.loss = GilbertElliottLoss{ratio, 0.5, 0.0, 1.0};
  mainOf(scenario).congestionControl = oneIn(lottery, 2) ? "cubic" : "reno";
  return scenario;
}

Scenario policer(Lottery& lottery) {
  // So short an RTT that the window comes back to the rate several times in a run.
  const Path path{over(lottery, 8e6, 40e6), over(lottery, 0.015, 0.03)};
  Scenario scenario = overGoodPath(lottery, path);
  QueueSettings& queue = scenario.path.path.forward.queue;
  queue.discipline = Policer{};
  queue.limit = bytes(between(lottery, 20.0, 40.0) * 1514.0);
  mainOf(scenario).congestionControl = oneIn(lottery, 2) ? "cubic" : "reno";
  return scenario;
}

Scenario reordering(Lottery& lottery) {
  const Path path{over(lottery, 40e6, 100e6), over(lottery, 0.015, 0.04)};
  Scenario scenario = overGoodPath(lottery, path);
  LinkSettings& link = scenario.path.path.forward;
  link.reorderingRatio = over(lottery, 0.01, 0.04);
  // A sender of today learns within a second how late packets come on its path, and is hindered no more. This one does
  // not learn: RACK with a reordering window that never grows (Linux, Documentation/networking/ip-sysctl.rst).
  sysctlsOf(scenario, kSender)["net.ipv4.tcp_recovery"] = "3";
  sysctlsOf(scenario, kSender)["net.ipv4.tcp_max_reordering"] = "3";
  link.reorderingDelay =
      std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(between(lottery, 1.0, 2.0) * path.rtt));
  return scenario;
}

Scenario ecn(Lottery& lottery) {
  Path path{over(lottery, 20e6, 100e6), over(lottery, 0.012, 0.05)};
  // So small a window that it comes back to the path's several times in a run: the marks are the evidence.
  path.rate = std::min(path.rate, 120.0 * kSegmentBytes * 8.0 / path.rtt);
  Scenario scenario = overGoodPath(lottery, path);
  RandomEarlyDetection red;
  red.minimum = bytes(between(lottery, 4.0, 8.0) * 1514.0);
  red.maximum = bytes(between(lottery, 20.0, 40.0) * 1514.0);
  red.maximumRatio = between(lottery, 0.05, 0.2);
  red.weight = between(lottery, 0.005, 0.02);
  red.marksEcn = true;
  scenario.path.path.forward.queue.discipline = red;
  sysctlsOf(scenario, kSender)["net.ipv4.tcp_ecn"] = "1";
  sysctlsOf(scenario, kReceiver)["net.ipv4.tcp_ecn"] = "1";
  return scenario;
}

/// BBR where `loss` of the packets is lost: so many are in flight that one of them is always being repaired.
Scenario repairedByBbr(Lottery& lottery, double loss) {
  Path path{over(lottery, 10e6, 50e6), over(lottery, 0.02, 0.06)};
  path.rate = std::max(path.rate, 60.0 * kSegmentBytes * 8.0 / path.rtt);
  Scenario scenario = overGoodPath(lottery, path);
  scenario.path.path.forward.loss = BernoulliLoss{loss};
  mainOf(scenario).congestionControl = "bbr";
  return scenario;
}

/// BBR keeps the path full where a packet in twenty is lost.
Scenario fullThroughLoss(Lottery& lottery) {
  return repairedByBbr(lottery, between(lottery, 0.01, 0.05));
}

Scenario alwaysRecovering(Lottery& lottery) {
  return repairedByBbr(lottery, between(lottery, 0.15, 0.18));
}

Scenario timeouts(Lottery& lottery) {
  Scenario scenario = overGoodPath(lottery, {over(lottery, 4e6, 20e6), over(lottery, 0.02, 0.06)});
  scenario.path.path.forward.loss = BernoulliLoss{between(lottery, 0.42, 0.5)};
  scenario.duration = 12s;
  return scenario;
}

Scenario blackHole(Lottery& lottery) {
  Scenario scenario = overGoodPath(lottery, anyPath(lottery));
  LinkSettings& link = scenario.path.path.forward;
  link.mtu = bytes(between(lottery, 1300.0, 1450.0));
  link.mtuIsSilent = true;
  mainOf(scenario).greeting = bytes(between(lottery, 50.0, 900.0));
  return scenario;
}

/// A route with `cwnd N lock`, which the kernel heeds once an earlier connection left metrics of the peer.
Scenario clampedCongestionWindow(Lottery& lottery) {
  const double segments = std::round(over(lottery, 8.0, 60.0));
  Scenario scenario = overGoodPath(lottery, widerThan(lottery, segments * kSegmentBytes));
  scenario.hosts[kSender].congestionWindowClamp = Segments(static_cast<std::uint64_t>(segments));
  sysctlsOf(scenario, kSender)["net.ipv4.tcp_no_metrics_save"] = "0";
  TrafficSettings before = mainOf(scenario);
  before.name = "before";
  before.bytes = Bytes(10'000);
  mainOf(scenario).start = 600ms;
  scenario.traffic.push_back(before);
  return scenario;
}

Scenario clampedReceiveWindow(Lottery& lottery) {
  const double clamp = over(lottery, 16e3, 100e3);
  Scenario scenario = overGoodPath(lottery, widerThan(lottery, clamp));
  mainOf(scenario).lateWindowClamp = bytes(clamp);
  // Autotuning would set the clamp to another size.
  mainOf(scenario).receiveBuffer = Bytes(1'000'000);
  return scenario;
}

/// Judged while the window still doubles, on a path that would carry many times as much.
Scenario openingSlowStart(Lottery& lottery) {
  const Path path{over(lottery, 100e6, 250e6), over(lottery, 0.25, 0.5)};
  Scenario scenario = overGoodPath(lottery, path);
  constexpr double kRtts = 5.5;
  scenario.warmUp = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(1.5 * path.rtt));
  scenario.duration = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>((kRtts - 1.5) * path.rtt));
  return scenario;
}

/// Questions and answers: the application waits for each answer, and then for its user.
Scenario pausingQuestions(Lottery& lottery) {
  const Path path = anyPath(lottery);
  Scenario scenario = overGoodPath(lottery, path);
  TrafficSettings& traffic = mainOf(scenario);
  traffic.kind = TrafficKind::requestResponse;
  traffic.writeSize = bytes(over(lottery, 500.0, 10e3));
  traffic.readSize = Bytes(200);
  traffic.writeRest =
      std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(path.rtt * between(lottery, 4.0, 10.0)));
  return scenario;
}

/// Bursts after silences of several timeouts, for each of which the window starts again from a small one.
Scenario restartsAfterIdle(Lottery& lottery) {
  const Path path{over(lottery, 60e6, 120e6), over(lottery, 0.06, 0.1)};
  Scenario scenario = over(lottery, path, 2.0 * path.bytes());
  TrafficSettings& traffic = mainOf(scenario);
  traffic.kind = TrafficKind::requestResponse;
  traffic.writeSize = bytes(between(lottery, 0.6, 0.9) * path.bytes());
  traffic.readSize = Bytes(1);
  traffic.writeRest = 1500ms;
  scenario.warmUp = 5s;
  scenario.duration = 10s;
  return scenario;
}

/// BBR on a clean path.
Scenario fullByBbr(Lottery& lottery) {
  Path path = anyPath(lottery);
  path.rate = std::max(path.rate, 40.0 * kSegmentBytes * 8.0 / path.rtt);
  Scenario scenario = overGoodPath(lottery, path);
  mainOf(scenario).congestionControl = "bbr";
  return scenario;
}

Scenario receiveBufferUntuned(Lottery& lottery) {
  const double window = over(lottery, 24e3, 60e3);
  Scenario scenario = overGoodPath(lottery, widerThan(lottery, window));
  const double buffer = window * 256.0 / 219.0;
  sysctlsOf(scenario, kReceiver)["net.ipv4.tcp_rmem"] = three(4096, buffer, 6e6);
  sysctlsOf(scenario, kReceiver)["net.ipv4.tcp_moderate_rcvbuf"] = "0";
  return scenario;
}

/// What a loss costs counts in segments, and these are small.
Scenario lossOfSmallSegments(Lottery& lottery) {
  constexpr double kSmall = 536.0;
  const double rtt = over(lottery, 0.012, 0.06);
  const double ratio = over(lottery, 0.0008, 0.01);
  const double rate = mathisRate(rtt, ratio) * kSmall / kSegmentBytes * 1.5 * between(lottery, kMargin, 4.0);
  Scenario scenario = overGoodPath(lottery, {rate, rtt});
  scenario.path.path.forward.loss = BernoulliLoss{ratio};
  mainOf(scenario).maximumSegment = Bytes(536);
  mainOf(scenario).congestionControl = "reno";
  return scenario;
}

/// A window of the program's own, over a path that would carry more.
Scenario applicationWindow(Lottery& lottery) {
  constexpr double kFastest = 120e6;
  const double rtt = over(lottery, 0.02, 0.15);
  const double window = over(lottery, 64e3, std::min(4e6, kFastest / kMargin * rtt / 8.0));
  const double rate = std::min(window * 8.0 / rtt * between(lottery, kMargin, 4.0), kFastest);
  Scenario scenario = overGoodPath(lottery, {std::max(rate, 4e6), rtt});
  // Room for the window in both buffers, of which about half holds data.
  sysctlsOf(scenario, kSender)["net.ipv4.tcp_wmem"] = three(4096, 131072, 32e6);
  sysctlsOf(scenario, kReceiver)["net.ipv4.tcp_rmem"] = three(4096, 131072, 32e6);
  TrafficSettings& traffic = mainOf(scenario);
  traffic.kind = TrafficKind::requestResponse;
  traffic.requestsInFlight = std::uniform_int_distribution<std::size_t>(8, 32)(lottery);
  traffic.writeSize = bytes(window / static_cast<double>(traffic.requestsInFlight));
  traffic.readSize = bytes(between(lottery, 16.0, 200.0));
  traffic.noDelay = true;
  return scenario;
}

/// Requests in pieces, of which the last waits for the acknowledgment of the first.
Scenario smallWrites(Lottery& lottery) {
  Scenario scenario = overGoodPath(lottery, {over(lottery, 8e6, 100e6), over(lottery, 0.001, 0.06)});
  TrafficSettings& traffic = mainOf(scenario);
  traffic.kind = TrafficKind::requestResponse;
  traffic.writesPerRequest = oneIn(lottery, 2) ? 2 : 3;
  traffic.writeSize = bytes(between(lottery, 300.0, 1200.0));
  traffic.readSize = bytes(over(lottery, 50.0, 20e3));
  return scenario;
}

/// One request at a time to a server that takes its time.
Scenario slowServer(Lottery& lottery) {
  Scenario scenario = overGoodPath(lottery, anyPath(lottery));
  TrafficSettings& traffic = mainOf(scenario);
  traffic.kind = TrafficKind::requestResponse;
  traffic.writeSize = bytes(over(lottery, 200.0, 1200.0));
  traffic.readSize = bytes(over(lottery, 100.0, 20e3));
  traffic.answerTime = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(over(lottery, 0.02, 0.4)));
  return scenario;
}

Scenario unansweredSyn(Lottery& lottery) {
  Scenario scenario = overGoodPath(lottery, anyPath(lottery));
  LinkSettings& link = oneIn(lottery, 2) ? scenario.path.path.forward : scenario.path.path.backward;
  link.breaksAfter = 0ns;
  return scenario;
}

/// In both directions, or in one.
Scenario brokenPath(Lottery& lottery) {
  Scenario scenario = overGoodPath(lottery, anyPath(lottery));
  const auto moment =
      std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(between(lottery, 1.0, 4.0)));
  scenario.path.path.forward.breaksAfter = moment;
  if (oneIn(lottery, 2)) scenario.path.path.backward.breaksAfter = moment;
  return scenario;
}

Scenario closedWindow(Lottery& lottery) {
  Scenario scenario = overGoodPath(lottery, anyPath(lottery));
  mainOf(scenario).readSize = bytes(over(lottery, 1e3, 200e3));
  mainOf(scenario).readRest = 1h;
  return scenario;
}

constexpr std::array kClasses = {
    ScenarioClass{"receiver/buffer_limit", Limit::receiver, Cause::bufferLimit, receiveBufferLimit},
    ScenarioClass{"receiver/buffer_locked", Limit::receiver, Cause::bufferLocked, receiveBufferLocked},
    ScenarioClass{"receiver/window_scale", Limit::receiver, Cause::windowScale, windowScale},
    ScenarioClass{"receiver/slow_reader", Limit::receiver, Cause::slowReader, slowReader},
    ScenarioClass{"send_buffer/buffer_limit", Limit::sendBuffer, Cause::bufferLimit, sendBufferLimit},
    ScenarioClass{"send_buffer/buffer_locked", Limit::sendBuffer, Cause::bufferLocked, sendBufferLocked},
    ScenarioClass{"application/slow_writer", Limit::application, Cause::slowWriter, slowWriter},
    ScenarioClass{"idle/unknown", Limit::idle, Cause::unknown, idle},
    ScenarioClass{"network/pacing", Limit::network, Cause::pacing, pacing},
    ScenarioClass{"network/path_full", Limit::network, Cause::pathFull, pathFull},
    ScenarioClass{"full through loss", Limit::network, Cause::pathFull, fullThroughLoss},
    ScenarioClass{"network/queue", Limit::network, Cause::queue, bloatedQueue},
    ScenarioClass{"network/loss", Limit::network, Cause::loss, randomLoss},
    ScenarioClass{"network/policer", Limit::network, Cause::policer, policer},
    ScenarioClass{"network/reordering", Limit::network, Cause::reordering, reordering},
    ScenarioClass{"network/ecn", Limit::network, Cause::ecn, ecn},
    ScenarioClass{"recovery/loss", Limit::recovery, Cause::loss, alwaysRecovering},
    ScenarioClass{"timeout/loss", Limit::timeout, Cause::loss, timeouts},
    ScenarioClass{"timeout/mtu", Limit::timeout, Cause::mtu, blackHole},
    ScenarioClass{"network/cwnd_clamp", Limit::network, Cause::cwndClamp, clampedCongestionWindow},
    ScenarioClass{"receiver/window_clamp", Limit::receiver, Cause::windowClamp, clampedReceiveWindow},
    ScenarioClass{"network/slow_start", Limit::network, Cause::slowStart, openingSlowStart},
    ScenarioClass{"pausing questions", Limit::application, Cause::slowWriter, pausingQuestions},
    ScenarioClass{"restarts after idle", Limit::application, Cause::slowWriter, restartsAfterIdle},
    ScenarioClass{"full by BBR", Limit::network, Cause::pathFull, fullByBbr},
    ScenarioClass{"autotuning off", Limit::receiver, Cause::bufferLimit, receiveBufferUntuned},
    ScenarioClass{"application/application_window", Limit::application, Cause::applicationWindow, applicationWindow},
    ScenarioClass{"application/nagle", Limit::application, Cause::nagle, smallWrites},
    ScenarioClass{"slow server", Limit::application, Cause::slowWriter, slowServer},
    ScenarioClass{"opening/no_response", Limit::opening, Cause::noResponse, unansweredSyn},
    ScenarioClass{"stalled/no_response", Limit::stalled, Cause::noResponse, brokenPath},
    ScenarioClass{"stalled/slow_reader", Limit::stalled, Cause::slowReader, closedWindow},
    ScenarioClass{"loss of small segments", Limit::network, Cause::loss, lossOfSmallSegments},
};

}  // namespace

std::span<const ScenarioClass> scenarioClasses() {
  return kClasses;
}

Scenario draw(const ScenarioClass& drawn, Lottery& lottery) {
  Scenario scenario = drawn.draw(lottery);
  Truth truth;
  truth.traffic = "main";
  truth.limit = drawn.limit;
  truth.cause = drawn.cause;
  // Nothing is wrong on a path that is full: nothing may be said to be.
  if (drawn.cause == Cause::pathFull) truth.forbiddenFindings = {std::string(kAnyFinding)};
  scenario.truth = truth;
  return scenario;
}

}  // namespace tcpscope::lab
