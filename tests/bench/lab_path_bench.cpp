// The emulated path against what was asked of it: rate, added delay, loss, the log, at three speeds with real TCP of
// the running kernel; and what it costs against a bare loop that only copies packets.
#include <fmt/core.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <csignal>
#include <ctime>

#include "tests/bench/measurement.h"
#include "tests/bench/path_traffic.h"
#include "tests/support/path_relay.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;
using test::NetworkHost;
using test::PathRelay;

struct Speed {
  const char* name;
  BitsPerSecond rate;
  Nanoseconds delay;
  Bytes queue;
};

const std::array<Speed, 3> kSpeeds = {{
    {"100 Mbit/s, 20 ms", BitsPerSecond(100e6), Milliseconds(10), Bytes(250'000)},
    {"200 Mbit/s, 46 ms", BitsPerSecond(200e6), Milliseconds(23), Bytes(1'000'000)},
    {"1 Gbit/s, 25 ms", BitsPerSecond(1e9), Microseconds(12'500), Bytes(3'000'000)},
}};

/// Payload of a full packet of 1,500 bytes with timestamps.
constexpr double kPayloadShare = 1448.0 / 1500.0;

struct Effort {
  double settleSeconds;
  double measureSeconds;
  int repeats;
};

void rest(double seconds) {
  const timespec time{static_cast<time_t>(seconds), static_cast<long>(std::fmod(seconds, 1.0) * 1e9)};
  nanosleep(&time, nullptr);
}

struct Hosts {
  std::unique_ptr<NetworkHost> sender;
  std::unique_ptr<NetworkHost> receiver;
};

Hosts makeHosts() {
  // Windows that no path here exhausts, from the start.
  const std::map<std::string, std::string> sysctls = {
      {"tcp_rmem", "4096 16777216 67108864"}, {"tcp_wmem", "4096 65536 67108864"}, {"tcp_no_metrics_save", "1"}};
  auto sender = NetworkHost::make({"10.77.0.1", 1500, sysctls});
  auto receiver = NetworkHost::make({"10.77.0.2", 1500, sysctls});
  if (sender && receiver) return {std::move(*sender), std::move(*receiver)};
  fmt::print(stderr, "no network namespace with a TUN device: {}\n", sender ? receiver.error() : sender.error());
  std::exit(0);
}

/// How late this machine wakes a program that only waits for a timer, while the path is measured.
std::vector<double> bareTimerLateness(double seconds) {
  prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0);
  std::vector<double> lateness;
  const double end = wallSeconds() + seconds;
  for (double now = wallSeconds(); now < end; now = wallSeconds()) {
    constexpr double kWait = 2e-3;
    rest(kWait);
    lateness.push_back(wallSeconds() - now - kWait);
  }
  return lateness;
}

struct Measured {
  double goodput = 0.0;
  std::vector<double> delayErrors;
  std::vector<double> timerLateness;
  double processorShare = 0.0;
  lab::PathReport report;
  std::vector<lab::PathEvent> events;
  DeviceCounters sender;
  DeviceCounters receiver;
};

/// `window`: most that the bulk transfer has in flight; nothing: it fills the queue until it overflows.
Measured measure(const lab::LinkSettings& forward, const lab::LinkSettings& backward, const Effort& effort,
                 std::optional<Bytes> window = {}) {
  Hosts hosts = makeHosts();
  const std::array<const NetworkHost*, 2> ends = {hosts.sender.get(), hosts.receiver.get()};
  PathRelay relay(ends, test::betweenTwoHosts({forward, backward}));
  PathTraffic traffic(*hosts.sender, *hosts.receiver);
  traffic.startBulk("reno", window);
  traffic.startProbes();
  rest(effort.settleSeconds);

  Measured measured;
  const std::size_t settled = traffic.probeDelays().size();
  const double start = wallSeconds();
  const Bytes before = traffic.received();
  measured.timerLateness = bareTimerLateness(effort.measureSeconds);
  const Bytes after = traffic.received();
  measured.goodput = static_cast<double>((after - before).value()) * 8.0 / (wallSeconds() - start);
  const std::vector<double> delays = traffic.probeDelays();
  traffic.stop();
  // What is in flight arrives.
  rest(0.3 + toSeconds(forward.delay) * 4.0);

  for (std::size_t probe = settled; probe < delays.size(); ++probe) {
    measured.delayErrors.push_back(delays[probe] - toSeconds(backward.delay));
  }
  const test::RelayResult result = relay.stop();
  measured.events = relay.events();
  measured.report = result.report;
  measured.processorShare = toSeconds(result.processorTime) / toSeconds(result.report.observed);
  measured.sender = deviceCounters(*hosts.sender);
  measured.receiver = deviceCounters(*hosts.receiver);
  return measured;
}

/// Packets that neither arrived nor are in the log, by the kernel's counters of both devices.
double missingFromLog(const Measured& measured) {
  const auto sent = static_cast<double>(measured.sender.sent + measured.receiver.sent);
  const auto delivered = static_cast<double>(measured.sender.received + measured.receiver.received);
  double explained = static_cast<double>(measured.report.unrouted.value());
  for (const lab::LinkReport& link : measured.report.links) {
    explained += static_cast<double>(link.counters.packetsInside.value());
  }
  for (const lab::PathEvent& event : measured.events) {
    if (event.kind == lab::PathEventKind::duplicate) explained -= 1;
    if (lab::isDrop(event.kind)) explained += 1;
  }
  return std::abs(sent - delivered - explained);
}

void printPathReport(const std::string& name, const Measured& measured) {
  const lab::PathReport& report = measured.report;
  const auto us = [](Nanoseconds time) { return toSeconds(time) * 1e6; };
  fmt::print(
      "  {}: {:.2f} Mbit/s, {} drops, loop {:.0f} % of a core and {:.1f} % of the time without one; packets late by "
      "{:.0f} µs (median), {:.0f} (99 %), {:.0f} (99.9 %), {:.0f} (worst); {} dropped by devices\n",
      name, measured.goodput / 1e6, measured.events.size(), measured.processorShare * 100.0,
      100.0 * toSeconds(report.waitedForProcessor) / toSeconds(report.observed), us(report.lateness50),
      us(report.lateness99), us(report.lateness999), us(report.worstLateness),
      report.deviceDrops ? std::to_string(report.deviceDrops->value()) : "?");
}

/// A window that fills the path and half of its queue: what is measured then is the path, not how long a congestion
/// control takes to come back from an overflow.
Bytes windowThatFits(const Speed& speed) {
  const double path = speed.rate.value() / 8.0 * 2.0 * toSeconds(speed.delay);
  const double inPackets = path + static_cast<double>(speed.queue.value()) / 2.0;
  return Bytes(static_cast<std::uint64_t>(inPackets * kPayloadShare));
}

void measureSpeed(const Speed& speed, const Effort& effort, bool isQuick) {
  lab::LinkSettings link;
  link.rate = speed.rate;
  link.delay = speed.delay;
  link.queue.limit = speed.queue;
  std::vector<double> goodputs;
  std::vector<double> medians;
  std::vector<double> tails;
  std::vector<double> timerTails;
  std::vector<double> processor;
  double missing = 0.0;
  double deviceDrops = 0.0;
  for (int repeat = 0; repeat < effort.repeats; ++repeat) {
    const Measured measured = measure(link, link, effort, windowThatFits(speed));
    printPathReport(speed.name, measured);
    goodputs.push_back(measured.goodput);
    medians.push_back(quantile(measured.delayErrors, 0.5) * 1e3);
    tails.push_back(quantile(measured.delayErrors, 0.99) * 1e3);
    timerTails.push_back(quantile(measured.timerLateness, 0.99) * 1e3);
    processor.push_back(measured.processorShare * 100.0);
    missing = std::max(missing, missingFromLog(measured));
    deviceDrops += static_cast<double>(measured.report.deviceDrops.value_or(Count(1)).value());
  }
  const Measured overflowing = measure(link, link, effort);
  printPathReport(fmt::format("{}, until the queue overflows", speed.name), overflowing);
  missing = std::max(missing, missingFromLog(overflowing));
  const auto target = [&](double figure) { return isQuick ? std::nullopt : std::optional(figure); };
  const auto named = [&](const char* what) { return fmt::format("path {}: {}", speed.name, what); };
  const double ideal = speed.rate.value() * kPayloadShare;
  const auto [least, most] = std::minmax_element(goodputs.begin(), goodputs.end());
  publish({named("goodput"), fmt::format("{:.2f} Mbit/s", median(goodputs) / 1e6),
           fmt::format("of the rate {:.2f} Mbit/s", ideal / 1e6), std::abs(median(goodputs) / ideal - 1.0) * 100.0,
           "% off", target(2.0), false});
  publish({named("repeats apart"), fmt::format("{} runs", goodputs.size()), "", (*most / *least - 1.0) * 100.0, "%",
           target(1.0), false});
  publish({named("delay beside what was asked, median"), fmt::format("{:.3f} ms", median(medians)), "",
           std::abs(median(medians)), "ms", target(0.3), false});
  publish({named("delay beside what was asked, 99 %"), fmt::format("{:.3f} ms", median(tails)),
           fmt::format("bare timer late by {:.3f} ms", median(timerTails)), std::abs(median(tails)), "ms",
           target(std::max(0.3, median(timerTails))), false});
  publish({named("processor"), fmt::format("{:.0f} % of a core", median(processor)), "", median(processor), "%",
           std::nullopt, false});
  publish({named("packets missing from the log"), "", "", missing, "packets", 0.0, false});
  publish({named("packets lost by devices"), "", "", deviceDrops, "packets", target(0.0), false});
}

/// How far the losses lie from the middle of their 99.99 % interval, as a share of its half width.
void measureLoss(double ratio, const Effort& effort) {
  lab::LinkSettings link;
  link.rate = BitsPerSecond(1e9);
  link.delay = Milliseconds(1);
  lab::LinkSettings lossy = link;
  lossy.loss = lab::BernoulliLoss{ratio};
  const Measured measured = measure(lossy, link, effort);
  double losses = 0.0;
  for (const lab::PathEvent& event : measured.events)
    losses += event.kind == lab::PathEventKind::randomLoss ? 1.0 : 0.0;
  // Of the bulk's packets a handful carries no data.
  const auto packets = static_cast<double>(measured.report.links.front().counters.packetsIn.value());
  const boost::math::binomial_distribution<double> expected(packets, ratio);
  const double low = boost::math::quantile(expected, 0.00005);
  const double high = boost::math::quantile(boost::math::complement(expected, 0.00005));
  publish({fmt::format("path: loss of {:g} %", ratio * 100.0), fmt::format("{:.0f} of {:.0f} packets", losses, packets),
           fmt::format("binomial, 99.99 %: {:.0f} to {:.0f}", low, high),
           std::abs(losses - (low + high) / 2.0) / ((high - low) / 2.0), "of the interval", 1.0, false});
  publish({fmt::format("path: loss of {:g} %, missing from the log", ratio * 100.0), "", "", missingFromLog(measured),
           "packets", 0.0, false});
}

/// Packets from one device to the other, nothing else.
[[noreturn]] void copyPackets(int first, int second) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::vector<char> buffer(65'536);
  std::array<pollfd, 2> waits = {pollfd{first, POLLIN, 0}, pollfd{second, POLLIN, 0}};
  while (true) {
    poll(waits.data(), waits.size(), -1);
    for (const auto& [from, to] : {std::pair(first, second), std::pair(second, first)}) {
      for (int packet = 0; packet < 32; ++packet) {
        const ssize_t size = read(from, buffer.data(), buffer.size());
        if (size <= 0) break;
        [[maybe_unused]] const ssize_t written = write(to, buffer.data(), static_cast<std::size_t>(size));
      }
    }
  }
}

double bareGoodput(const Effort& effort) {
  Hosts hosts = makeHosts();
  const pid_t copier = fork();
  if (copier == 0) copyPackets(hosts.sender->tunDescriptor(), hosts.receiver->tunDescriptor());
  PathTraffic traffic(*hosts.sender, *hosts.receiver);
  traffic.startBulk("reno", {});
  rest(effort.settleSeconds);
  const double start = wallSeconds();
  const Bytes before = traffic.received();
  rest(effort.measureSeconds);
  const double goodput = static_cast<double>((traffic.received() - before).value()) * 8.0 / (wallSeconds() - start);
  test::endChild(copier);
  return goodput;
}

void measureWire(const Effort& effort) {
  std::vector<double> ours;
  std::vector<double> bare;
  for (int repeat = 0; repeat < effort.repeats; ++repeat) {
    ours.push_back(measure({}, {}, effort).goodput);
    bare.push_back(bareGoodput(effort));
  }
  publish({"path without rate and delay: goodput", fmt::format("{:.2f} Gbit/s", median(ours) / 1e9),
           fmt::format("bare copying {:.2f} Gbit/s", median(bare) / 1e9), median(ours) / median(bare), "ratio",
           std::nullopt, true});
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  const Effort effort = quick ? Effort{0.5, 0.5, 1} : Effort{5.0, 5.0, 3};
  for (const Speed& speed : kSpeeds) measureSpeed(speed, effort, quick);
  for (const double ratio : {0.001, 0.01}) measureLoss(ratio, effort);
  measureWire(quick ? effort : Effort{1.0, 3.0, 3});
  return 0;
}
