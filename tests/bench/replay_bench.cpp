// How long a seek in a one-hour recording takes, in wall time until the picture is shown: ten connections of which the
// selected one is sampled a hundred times a second, and a host with a thousand.
#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>

#include "app/session/replay_player.h"
#include "collectors/system/monotonic_clock.h"
#include "collectors/trace/recording_output.h"
#include "collectors/trace/trace_writer.h"
#include "tests/bench/measurement.h"
#include "tests/support/observation_builder.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

/// An hour of a host.
struct Scene {
  const char* name;
  std::uint64_t connections;
  /// Of the selected one, a second.
  int polls;
  /// So many seconds pass between two changes of another.
  std::uint64_t pause;
  /// Of waiting for another moment; absent where it is only printed.
  std::optional<double> targetMs;
};

constexpr Moment kBegin = Moment::fromNanoseconds(1'000'000'000);

SocketObservation lookAt(std::uint64_t cookie, Milliseconds at) {
  const auto bytes = static_cast<std::uint64_t>(at.count()) * 1000 * cookie;
  return test::ObservationBuilder().cookie(cookie).at(at).acked(bytes).chronographs(at).build();
}

ObservationBatch batchAt(const Scene& scene, int slot) {
  const Milliseconds at(1000 / scene.polls * slot);
  const auto second = static_cast<std::uint64_t>(slot / scene.polls);
  ObservationBatch batch;
  batch.rate = SampleRate::focus;
  batch.changed = {lookAt(1, at)};
  if (slot % scene.polls != 0) return batch;
  batch.rate = SampleRate::list;
  for (std::uint64_t cookie = 2; cookie <= scene.connections; ++cookie) {
    if (second == 0 || (second + cookie) % scene.pause == 0) batch.changed.push_back(lookAt(cookie, at));
  }
  batch.dumpEndedAt = kBegin + at;
  return batch;
}

/// Settled as often as when a real one is written.
void write(const Scene& scene, const std::filesystem::path& path, int seconds) {
  Moment now = kBegin;
  auto output = RecordingOutput::create(path, {[&now] { return now; }});
  if (!output) giveUp("cannot write a recording");
  TraceWriter writer((*output)->buffer());
  TraceHello hello;
  hello.clock.monotonic = kBegin;
  writer.write(hello);
  for (int slot = 0; slot <= scene.polls * seconds; ++slot) {
    now = kBegin + Milliseconds(1000 / scene.polls * slot);
    writer.write(batchAt(scene, slot));
    if (!(*output)->settle()) giveUp("cannot write a recording");
  }
  if (!(*output)->finish()) giveUp("cannot write a recording");
}

double waitMs(ReplayPlayer& player, Moment moment) {
  const double from = wallSeconds();
  player.obey({.seek = moment});
  while (player.position().isSeeking) player.step();
  return (wallSeconds() - from) * 1e3;
}

void measure(const Scene& scene, int seconds) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("tcpscope-replay-{}.tcpscope", getpid());
  write(scene, path, seconds);
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 1};
  auto replay = Replay::open({&path, 1}, control, PlaceId{0});
  auto twin = Replay::open({&path, 1}, {}, PlaceId{0});
  std::filesystem::remove(path);
  if (!replay || !twin) giveUp("the recording cannot be read");
  ReplayPlayer player(std::move(*replay), monotonicNow, control.listInterval);
  const Moment end = kBegin + std::chrono::seconds(seconds);
  const auto publishMs = [&](const std::string& what, double ms, std::optional<double> targetMs) {
    const std::string name = fmt::format("{} of {} s of {}", what, seconds, scene.name);
    publish({name, fmt::format("{:.0f} ms", ms), "", ms, "ms", targetMs});
  };
  publishMs("before anything was read: to the end", waitMs(player, end), std::nullopt);
  const auto checkpoints = std::make_shared<ReplayCheckpoints>();
  const double from = wallSeconds();
  leaveCheckpoints(**twin, *checkpoints, {});
  publishMs(fmt::format("reading ahead, {} checkpoints,", checkpoints->size()), (wallSeconds() - from) * 1e3,
            std::nullopt);
  player.useCheckpoints(checkpoints);
  publishMs("a second back from the end", waitMs(player, end - std::chrono::seconds(1)), scene.targetMs);
  publishMs("a second forward", waitMs(player, end), scene.targetMs);
  publishMs("back to the middle", waitMs(player, end - std::chrono::seconds(seconds / 2)), scene.targetMs);
  publishMs("back to the start", waitMs(player, kBegin), scene.targetMs);
}

}  // namespace

int main(int argc, char** argv) {
  const int seconds = isQuick(argc, argv) ? 60 : 3600;
  measure({"10 connections, one at 100 Hz", 10, 100, 1, 100.0}, seconds);
  measure({"1,000 connections, a tenth of which change", 1000, 1, 10, std::nullopt}, seconds);
  return 0;
}
