// How long whoever looks at a recording of an hour waits for another moment of it: ten connections a second, the
// selected one a hundred times, wall time until the picture is there.
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

constexpr std::uint64_t kConnections = 10;
constexpr double kTargetMs = 100.0;
constexpr Moment kBegin = Moment::fromNanoseconds(1'000'000'000);

SocketObservation lookAt(std::uint64_t cookie, Milliseconds at) {
  const auto bytes = static_cast<std::uint64_t>(at.count()) * 1000 * cookie;
  return test::ObservationBuilder().cookie(cookie).at(at).acked(bytes).chronographs(at).build();
}

/// Ten looks a file's breath: so a real recording is written, too.
void writeHour(const std::filesystem::path& path, int seconds) {
  Moment now = kBegin;
  auto output = RecordingOutput::create(path, {[&now] { return now; }});
  if (!output) giveUp("cannot write a recording");
  TraceWriter writer((*output)->buffer());
  TraceHello hello;
  hello.clock.monotonic = kBegin;
  writer.write(hello);
  for (int slot = 0; slot <= 100 * seconds; ++slot) {
    const Milliseconds at(10 * slot);
    now = kBegin + at;
    ObservationBatch batch;
    batch.rate = SampleRate::focus;
    batch.changed = {lookAt(1, at)};
    if (slot % 100 == 0) {
      batch.rate = SampleRate::list;
      for (std::uint64_t cookie = 2; cookie <= kConnections; ++cookie) batch.changed.push_back(lookAt(cookie, at));
      batch.dumpEndedAt = now;
    }
    writer.write(batch);
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

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  const int seconds = quick ? 60 : 3600;
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("tcpscope-replay-{}.tcpscope", getpid());
  writeHour(path, seconds);
  SessionControl control;
  control.focus = ConnectionId{PlaceId{0}, 1};
  auto replay = Replay::open({&path, 1}, control, PlaceId{0});
  auto twin = Replay::open({&path, 1}, {}, PlaceId{0});
  std::filesystem::remove(path);
  if (!replay || !twin) giveUp("the recording cannot be read");
  ReplayPlayer player(std::move(*replay), monotonicNow, control.listInterval);
  const Moment end = kBegin + std::chrono::seconds(seconds);
  const auto checkpoints = std::make_shared<ReplayCheckpoints>();
  const auto tellWait = [&](const char* what, Moment moment, std::optional<double> targetMs) {
    const double ms = waitMs(player, moment);
    const std::string name = fmt::format("{} of {} s of {} connections, one at 100 Hz", what, seconds, kConnections);
    tell({name, fmt::format("{:.0f} ms", ms), "", ms, "ms", targetMs});
  };
  tellWait("before anything was read: to the end", end, std::nullopt);
  const double from = wallSeconds();
  leaveCheckpoints(**twin, *checkpoints, std::size_t{1} << 30, {});
  const double ms = (wallSeconds() - from) * 1e3;
  tell({fmt::format("reading ahead, {} checkpoints", checkpoints->size()), fmt::format("{:.0f} ms", ms), "", ms, "ms",
        std::nullopt});
  player.useCheckpoints(checkpoints);
  tellWait("a second back from the end", end - std::chrono::seconds(1), kTargetMs);
  tellWait("a second forward", end, kTargetMs);
  tellWait("back to the middle", end - std::chrono::seconds(seconds / 2), kTargetMs);
  tellWait("back to the start", kBegin, kTargetMs);
  return 0;
}
