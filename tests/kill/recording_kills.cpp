// Kills a program that records at random moments, and looks whether all but the last second can be read: see README.md.
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <random>
#include <set>
#include <string_view>
#include <thread>

#include "collectors/system/monotonic_clock.h"
#include "collectors/trace/recording_output.h"
#include "collectors/trace/recording_reader.h"
#include "collectors/trace/trace_writer.h"
#include "tests/kill/kill_options.h"
#include "tests/support/trace_examples.h"

namespace tcpscope {
namespace {

using Random = std::mt19937_64;
using Microseconds64 = std::chrono::microseconds;

/// The recorder's clock runs so many times faster than ours: a second of it is 20 ms.
constexpr int kFaster = 50;
constexpr Microseconds64 kLongestLife{160'000};
constexpr std::uint64_t kSockets = 50;
constexpr std::uint64_t kRingBytes = 1U << 20U;

/// Progress of the recorder, shared by both.
struct Progress {
  /// Looks that were handed over, and when each was, by the recorder's clock.
  std::atomic<std::size_t> polls{0};
  std::array<std::atomic<std::int64_t>, 100'000> atNs{};
};

/// How a killed recording was found.
struct Found {
  int notBegun = 0;
  int whole = 0;
  int cut = 0;
  int inPieces = 0;
  Nanoseconds longestLoss{0};
};

void record(const std::filesystem::path& path, bool asRing, Progress& progress) {
  const Moment begin = monotonicNow();
  RecordingSettings settings;
  settings.now = [begin] { return begin + (monotonicNow() - begin) * kFaster; };
  // Rings of a few seconds, so that many kills meet a piece that begins.
  if (asRing) settings.limits = {kRingBytes, std::chrono::seconds(4)};
  const auto output = RecordingOutput::create(path, settings);
  if (!output) _exit(1);
  TraceWriter writer((*output)->buffer());
  TraceHello hello = test::exampleHello();
  hello.clock.monotonic = begin;
  writer.write(hello);
  for (std::uint64_t poll = 0;; ++poll) {
    const Moment now = settings.now();
    ObservationBatch batch;
    for (std::uint64_t cookie = 1; cookie <= kSockets; ++cookie) {
      if (poll > 0 && (cookie + poll) % 5 != 0) continue;
      SocketObservation socket = test::ObservationBuilder().cookie(cookie).acked(cookie * poll * 1009).build();
      socket.takenAt = now;
      batch.changed.push_back(socket);
    }
    batch.dumpEndedAt = now;
    writer.write(batch);
    if (!(*output)->flush()) _exit(1);
    progress.atNs[poll] = now.nanoseconds();
    progress.polls = poll + 1;
    // A poll each tenth of a second, as the command line does.
    std::this_thread::sleep_for(std::chrono::microseconds(100'000 / kFaster));
  }
}

bool fault(std::string_view what) {
  fmt::print("FAULT: {}\n", what);
  return false;
}

/// Whether the file has everything that was handed over a second before the kill.
bool check(const std::filesystem::path& path, const Progress& progress, Found& found) {
  const std::size_t polls = progress.polls;
  if (!std::filesystem::exists(path)) {
    if (polls != 0) return fault("there is no file");
    ++found.notBegun;
    return true;
  }
  const auto reader = RecordingReader::open(path, PlaceId{0});
  if (!reader) return fault("the file cannot be read");
  std::optional<Moment> last;
  std::set<std::uint64_t> sockets;
  bool isCut = false;
  while (const auto value = (*reader)->next()) {
    const auto* batch = std::get_if<ObservationBatch>(&*value);
    if (batch == nullptr) continue;
    isCut |= !batch->gaps.empty();
    for (const SocketObservation& socket : batch->changed) sockets.insert(socket.id.cookie);
    if (batch->dumpEndedAt) last = batch->dumpEndedAt;
  }
  ++(isCut ? found.cut : found.whole);
  if ((*reader)->about()->piece > 0 || !piecesBeside(path).empty()) ++found.inPieces;
  if (polls == 0) return true;
  if (!last) return fault("nothing is in the file");
  if (sockets.size() != kSockets) return fault("a socket is missing");
  // From the first poll that is not in the file to the last that was handed over.
  const auto* const end = progress.atNs.begin() + polls;
  const auto* const lost = std::upper_bound(progress.atNs.begin(), end, last->nanoseconds());
  const Nanoseconds loss(lost == end ? 0 : *(end - 1) - *lost);
  found.longestLoss = std::max(found.longestLoss, loss);
  return loss <= std::chrono::seconds(1) || fault(fmt::format("{} ms are lost", loss.count() / 1'000'000));
}

bool killOnce(Random& random, const std::filesystem::path& folder, Progress& progress, Found& found) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) std::filesystem::remove(entry.path());
  const std::filesystem::path path = folder / "killed.tcpscope";
  progress.polls = 0;
  const bool asRing = random() % 2 == 0;
  const pid_t child = fork();
  if (child == 0) record(path, asRing, progress);
  std::uniform_int_distribution<std::int64_t> life(0, kLongestLife.count());
  std::this_thread::sleep_for(Microseconds64(life(random)));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSIGNALED(status)) return fault("the recorder ended without a kill");
  return check(path, progress, found);
}

int kills(const KillOptions& options) {
  std::string pattern = std::filesystem::temp_directory_path() / "tcpscope-kills-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) return 1;
  void* shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return 1;
  auto* progress = new (shared) Progress;
  Random random(options.seed);
  Found found;
  int done = 0;
  while (done < options.kills && killOnce(random, pattern, *progress, found)) ++done;
  fmt::print(
      "{} kills, seed {}; found not begun: {}, whole: {}, with half a segment at its end: {}; of them in pieces: "
      "{}; longest loss {} ms\n",
      done, options.seed, found.notBegun, found.whole, found.cut, found.inPieces,
      found.longestLoss.count() / 1'000'000);
  if (done < options.kills) return 1;
  std::filesystem::remove_all(pattern);
  return 0;
}

}  // namespace
}  // namespace tcpscope

int main(int argumentCount, char** arguments) {
  return tcpscope::kills(tcpscope::KillOptions({arguments, static_cast<std::size_t>(argumentCount)}));
}
