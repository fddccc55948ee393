#include "tests/lab/advice_case.h"

#include <array>

#include "tests/lab/two_host_scenario.h"

namespace tcpscope::lab {

namespace {

using namespace std::chrono_literals;

/// 100 Mbit/s, 20 ms and a queue of one RTT, as Web100's example: the sender first, then the receiver.
Scenario healthyPath(std::string_view name) {
  Scenario scenario = twoHostScenario(name, "advice", cleanLink(BitsPerSecond(100e6), 10ms, Bytes(250'000)));
  scenario.warmUp = 2s;
  scenario.duration = 3s;
  return scenario;
}

/// The connection that begins after the change: of a program without a fault of its own.
void reconnect(Scenario& scenario) {
  TrafficSettings again = scenario.traffic.front();
  again.name = "again";
  again.receiveBuffer.reset();
  again.start = scenario.warmUp + scenario.duration + 2s;
  scenario.traffic.push_back(again);
}

/// The part of buffers and what else a receiver and a sender have of their own.
AdviceCase hostCase(std::string_view name, RemedyId remedy, End asked, End wrong, std::string_view key,
                    std::string_view value) {
  AdviceCase one{name, "hosts", remedy, asked, healthyPath(name)};
  one.scenario.hosts.at(static_cast<std::size_t>(wrong)).sysctls[std::string(key)] = value;
  return one;
}

/// More room for a receive buffer that the kernel tunes.
AdviceCase receiveBuffer(std::string_view name, RemedyId remedy, End asked) {
  AdviceCase one = hostCase(name, remedy, asked, End::receiver, "net.ipv4.tcp_rmem", "4096 65536 65536");
  reconnect(one.scenario);
  return one;
}

AdviceCase autoTuning() {
  AdviceCase one = hostCase("auto_tuning", RemedyId::autoTuningOff, End::receiver, End::receiver,
                            "net.ipv4.tcp_moderate_rcvbuf", "0");
  one.scenario.hosts.back().sysctls["net.ipv4.tcp_rmem"] = "4096 65536 6291456";
  reconnect(one.scenario);
  return one;
}

AdviceCase windowScaling() {
  AdviceCase one = hostCase("window_scaling", RemedyId::windowScalingOff, End::receiver, End::receiver,
                            "net.ipv4.tcp_window_scaling", "0");
  one.part = "options";
  one.scenario.hosts.back().sysctls["net.ipv4.tcp_rmem"] = "4096 1048576 6291456";
  reconnect(one.scenario);
  return one;
}

/// A hop of the path drops many packets at once, now and then: with selective acknowledgments that costs an RTT or two,
/// without them one for each packet.
AdviceCase selectiveAcknowledgments() {
  AdviceCase one = hostCase("selective_ack", RemedyId::sackOff, End::sender, End::sender, "net.ipv4.tcp_sack", "0");
  one.part = "options";
  // Bursts that far apart do not limit CUBIC over so short a path.
  constexpr std::array<std::uint64_t, 3> kBetweenBursts = {10'000, 13'000, 11'500};
  constexpr std::uint64_t kInABurst = 60;
  ScriptedLoss bursts;
  std::uint64_t begin = 0;
  for (std::size_t burst = 0; burst < 16; ++burst) {
    begin += kBetweenBursts.at(burst % kBetweenBursts.size());
    for (std::uint64_t packet = 0; packet < kInABurst; ++packet) bursts.packets.push_back(begin + 2 * packet);
  }
  DuplexSettings& path = one.scenario.path.path;
  path.forward.loss = bursts;
  path.forward.delay = path.backward.delay = 5ms;
  one.scenario.duration = 4s;
  reconnect(one.scenario);
  return one;
}

AdviceCase lockedAtTheStart() {
  AdviceCase one{"locked_receive_buffer", "programs", RemedyId::lockedReceiveBuffer, End::receiver,
                 healthyPath("locked_receive_buffer")};
  one.scenario.traffic.front().receiveBuffer = Bytes(32'768);
  reconnect(one.scenario);
  return one;
}

/// Locked later, so that the window scale has room.
AdviceCase lockedLive() {
  AdviceCase one{"receive_buffer_locked_live", "programs", RemedyId::lockedReceiveBuffer, End::receiver,
                 healthyPath("receive_buffer_locked_live")};
  one.spoiledBy = {"SO_RCVBUF=32768"};
  // A program is asked for its locks every five seconds.
  one.scenario.warmUp = 6500ms;
  // The window grows with every RTT.
  one.settles = 5s;
  return one;
}

AdviceCase lockedSendBuffer() {
  AdviceCase one{"locked_send_buffer", "programs", RemedyId::lockedSendBuffer, End::sender,
                 healthyPath("locked_send_buffer")};
  one.scenario.traffic.front().sendBuffer = Bytes(65'536);
  return one;
}

AdviceCase pacing() {
  AdviceCase one{"pacing_limit", "programs", RemedyId::pacingLimit, End::sender, healthyPath("pacing_limit")};
  one.scenario.traffic.front().pacingRate = BitsPerSecond(20e6);
  return one;
}

AdviceCase blackHole() {
  AdviceCase one =
      hostCase("mtu_black_hole", RemedyId::mtuBlackHole, End::sender, End::sender, "net.ipv4.tcp_mtu_probing", "0");
  one.part = "path";
  one.scenario.path.path.forward.mtu = Bytes(1400);
  one.scenario.path.path.forward.mtuIsSilent = true;
  one.scenario.traffic.front().greeting = Bytes(200);
  // The next timeout may be three seconds away, and slow start begins then.
  one.settles = 5s;
  return one;
}

AdviceCase randomLoss() {
  // Every Linux has Reno, and lets it be set; the program chooses another.
  AdviceCase one = hostCase("random_loss", RemedyId::randomLoss, End::sender, End::sender,
                            "net.ipv4.tcp_congestion_control", "reno");
  one.part = "path";
  one.scenario.path.path.forward.loss = BernoulliLoss{0.005};
  // Losses at random need time to show what they cost.
  one.scenario.duration = 8s;
  return one;
}

AdviceCase unsentData() {
  AdviceCase one{"unsent_data", "path", RemedyId::unsentData, End::sender, healthyPath("unsent_data")};
  one.aim = AdviceAim::latency;
  // The verdict looks back over up to two of its spans.
  one.scenario.duration = 2s;
  one.settles = 4s;
  return one;
}

/// Reno, which every model of loss fits, and losses at random.
AdviceCase lossCase(std::string_view name, RemedyId remedy, double lossRatio) {
  AdviceCase one{name, "loss", remedy, End::sender, healthyPath(name)};
  one.scenario.path.path.forward.loss = BernoulliLoss{lossRatio};
  one.scenario.traffic.front().congestionControl = "reno";
  // Losses at random need time to show what they cost.
  one.scenario.duration = 15s;
  reconnect(one.scenario);
  return one;
}

/// Where every link carried large packets already, the segments would be small for it: small_segments, which is proven.
AdviceCase jumboFrames() {
  AdviceCase one = lossCase("jumbo_frames", RemedyId::jumboFrames, 0.005);
  one.notProvable = "every link of the path has to carry larger packets first";
  return one;
}

AdviceCase parallelStreams() {
  AdviceCase one = lossCase("parallel_streams", RemedyId::parallelStreams, 0.002);
  one.scenario.traffic.back().streams = 8;
  return one;
}

/// A short transfer loses packets when it begins; the next one begins with what the kernel remembers of it.
AdviceCase rememberedThreshold() {
  AdviceCase one = hostCase("remembered_threshold", RemedyId::rememberedThreshold, End::sender, End::sender,
                            "net.ipv4.tcp_no_ssthresh_metrics_save", "0");
  one.part = "loss";
  one.scenario.hosts.front().sysctls["net.ipv4.tcp_no_metrics_save"] = "0";
  ScriptedLoss atTheBeginning;
  for (std::uint64_t packet = 40; packet < 60; packet += 2) atTheBeginning.packets.push_back(packet);
  DuplexSettings& path = one.scenario.path.path;
  path.forward.loss = atTheBeginning;
  path.forward.delay = path.backward.delay = 25ms;
  path.forward.queue.limit = Bytes(625'000);
  TrafficSettings& main = one.scenario.traffic.front();
  main.congestionControl = "reno";
  main.start = 3s;
  one.scenario.warmUp = 4s;
  TrafficSettings before = main;
  before.name = "before";
  before.start = 0s;
  before.bytes = Bytes(1'000'000);
  reconnect(one.scenario);
  one.scenario.traffic.insert(one.scenario.traffic.begin() + 1, before);
  return one;
}

/// Early detection drops what it could mark.
AdviceCase ecn() {
  AdviceCase one = hostCase("ecn", RemedyId::ecnOff, End::sender, End::sender, "net.ipv4.tcp_ecn", "0");
  one.part = "loss";
  one.pathMarks = true;
  one.notProvable = "what marks bring depends on who shares the queue";
  LinkSettings& link = one.scenario.path.path.forward;
  // A window of some eight packets is back where packets are dropped after a few RTTs.
  link.rate = BitsPerSecond(2e6);
  RandomEarlyDetection detection;
  detection.minimum = Bytes(3'000);
  detection.maximum = Bytes(9'000);
  detection.maximumRatio = 0.25;
  detection.weight = 0.05;
  detection.marksEcn = true;
  link.queue.limit = Bytes(60'000);
  link.queue.discipline = detection;
  one.scenario.duration = 10s;
  return one;
}

/// The kernel heeds the lock once it has metrics of the peer: a short transfer comes first.
AdviceCase clampedCongestionWindow() {
  AdviceCase one{"cwnd_lock", "start", RemedyId::congestionWindowClamp, End::sender, healthyPath("cwnd_lock")};
  one.notProvable = "a route is people's to change";
  HostSettings& host = one.scenario.hosts.front();
  host.congestionWindowClamp = Segments(20);
  host.sysctls["net.ipv4.tcp_no_metrics_save"] = "0";
  TrafficSettings before = one.scenario.traffic.front();
  before.name = "before";
  before.bytes = Bytes(10'000);
  one.scenario.traffic.front().start = 500ms;
  one.scenario.traffic.push_back(before);
  return one;
}

/// Clamped later than its buffer was sized; autotuning would set the clamp to another size.
AdviceCase clampedReceiveWindow() {
  AdviceCase one{"window_clamp", "start", RemedyId::windowClamp, End::receiver, healthyPath("window_clamp")};
  one.scenario.traffic.front().receiveBuffer = Bytes(1'000'000);
  one.scenario.traffic.front().lateWindowClamp = Bytes(24'000);
  // The window grows with every RTT.
  one.settles = 5s;
  return one;
}

/// Asked while the window still doubles.
AdviceCase openingSlowStart(std::string_view name, RemedyId remedy) {
  AdviceCase one{name, "start", remedy, End::sender, healthyPath(name)};
  one.notProvable = "the route and the program are people's to change";
  DuplexSettings& path = one.scenario.path.path;
  path.forward.rate = path.backward.rate = BitsPerSecond(200e6);
  path.forward.delay = path.backward.delay = 150ms;
  path.forward.queue.limit = path.backward.queue.limit = Bytes(7'500'000);
  one.scenario.warmUp = 500ms;
  one.scenario.duration = 1200ms;
  return one;
}

AdviceCase restartsAfterIdle() {
  AdviceCase one = hostCase("idle_restart", RemedyId::idleRestart, End::sender, End::sender,
                            "net.ipv4.tcp_slow_start_after_idle", "1");
  one.part = "start";
  DuplexSettings& path = one.scenario.path.path;
  path.forward.delay = path.backward.delay = 50ms;
  path.forward.queue.limit = Bytes(2'500'000);
  TrafficSettings& main = one.scenario.traffic.front();
  main.kind = TrafficKind::requestResponse;
  main.writeSize = Bytes(800'000);
  main.readSize = Bytes(1);
  main.writeRest = 1500ms;
  one.scenario.warmUp = 6s;
  one.scenario.duration = 12s;
  // The application rests most of the time, on the fastest path, too.
  one.leastOfRate = 0.0;
  return one;
}

AdviceCase smallSegments() {
  AdviceCase one = lossCase("small_segments", RemedyId::smallSegments, 0.005);
  one.scenario.traffic.front().maximumSegment = Bytes(536);
  // The model, not the path, says where it ends.
  one.leastOfRate = 0.0;
  return one;
}

AdviceCase timestamps() {
  AdviceCase one =
      hostCase("timestamps", RemedyId::timestampsOff, End::sender, End::sender, "net.ipv4.tcp_timestamps", "0");
  one.part = "options";
  one.notProvable = "it makes nothing faster: old packets are refused";
  one.scenario.path.path.forward.rate = BitsPerSecond(200e6);
  one.scenario.path.path.forward.queue.limit = Bytes(500'000);
  return one;
}

}  // namespace

std::vector<AdviceCase> adviceCases() {
  return {
      receiveBuffer("receive_buffer", RemedyId::receiveBufferLimit, End::receiver),
      receiveBuffer("receiver_elsewhere", RemedyId::receiverElsewhere, End::sender),
      autoTuning(),
      hostCase("send_buffer", RemedyId::sendBufferLimit, End::sender, End::sender, "net.ipv4.tcp_wmem",
               "4096 16384 65536"),
      {"healthy", "hosts", std::nullopt, End::sender, healthyPath("healthy")},
      windowScaling(),
      selectiveAcknowledgments(),
      lockedAtTheStart(),
      lockedLive(),
      lockedSendBuffer(),
      pacing(),
      blackHole(),
      randomLoss(),
      unsentData(),
      jumboFrames(),
      parallelStreams(),
      rememberedThreshold(),
      ecn(),
      timestamps(),
      clampedCongestionWindow(),
      clampedReceiveWindow(),
      openingSlowStart("initial_window", RemedyId::initialWindow),
      openingSlowStart("connection_reuse", RemedyId::connectionReuse),
      restartsAfterIdle(),
      smallSegments(),
  };
}

}  // namespace tcpscope::lab
