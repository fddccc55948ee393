// What recording costs: processor time of a look at 10,000 connections that goes into a file against the same look that
// does not, bytes of the file; then the wall time to open an hour of 1,000 connections and to show another moment of
// it.
#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <random>

#include "collectors/sock_diag/netlink_socket.h"
#include "collectors/sock_diag/sock_diag_poller.h"
#include "collectors/trace/recording_output.h"
#include "collectors/trace/recording_reader.h"
#include "collectors/trace/trace_writer.h"
#include "core/session/analysis_session.h"
#include "tests/bench/held_connections.h"
#include "tests/bench/measurement.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

/// Of this process alone, gone with the object.
class RecordedFile {
public:
  ~RecordedFile() { std::filesystem::remove(path); }
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("tcpscope-bench-{}.tcpscope", getpid());
};

/// A recording whose clock advances by a second with each poll.
class Recorder {
public:
  explicit Recorder(const std::filesystem::path& path) {
    auto output = RecordingOutput::create(path, {[this] { return m_now; }});
    if (!output) giveUp("cannot write a recording");
    m_output = std::move(*output);
    TraceHello hello;
    hello.clock.monotonic = m_now;
    TraceWriter(m_output->buffer()).write(hello);
  }
  void take(const ObservationBatch& batch) { TraceWriter(m_output->buffer()).write(batch); }
  void endPoll() {
    m_now = m_now + std::chrono::seconds(1);
    if (!m_output->settle()) giveUp("cannot write a recording");
  }
  [[nodiscard]] Moment now() const { return m_now; }
  [[nodiscard]] std::uint64_t bytes() const { return m_output->bytesInAll(); }

private:
  std::unique_ptr<RecordingOutput> m_output;
  Moment m_now = Moment::fromNanoseconds(1'000'000'000);
};

void recordPolls(std::size_t connections, unsigned percent, int rounds, std::optional<double> targetRatio,
                 std::optional<double> targetBytes) {
  HeldConnections held(connections);
  auto poller = SockDiagPoller::open(ownSockDiagAccess(), {});
  if (!poller) giveUp("the kernel gives no socket diagnosis");
  const RecordedFile file;
  Recorder recorder(file.path);
  const auto poll = [&](bool records) {
    (*poller)->pollOnce([&](ObservationBatch&& batch) {
      if (records) recorder.take(batch);
      return true;
    });
    if (records) recorder.endPoll();
  };
  poll(true);
  const std::uint64_t begin = recorder.bytes();
  std::vector<double> with;
  std::vector<double> without;
  for (int round = 0; round < rounds; ++round) {
    for (const bool records : {round % 2 == 0, round % 2 != 0}) {
      held.change(percent);
      (records ? with : without).push_back(threadCpuOf([&] { poll(records); }));
    }
  }
  const double ratio = median(with) / median(without);
  const std::string name = fmt::format("recording {} connections, {} % changed", connections, percent);
  publish({name, fmt::format("{:.1f} ms CPU", median(with) * 1e3),
           fmt::format("polling alone {:.1f} ms", median(without) * 1e3), ratio, "ratio", targetRatio});
  const double bytes = static_cast<double>(recorder.bytes() - begin) / rounds / static_cast<double>(connections);
  publish({name, fmt::format("{:.1f} bytes a connection and second", bytes), "", bytes, "bytes", targetBytes});
}

/// An hour at which a tenth of the connections does something each second.
void writeHour(Recorder& recorder, std::size_t connections, int seconds) {
  std::mt19937_64 random(1);
  std::vector<SocketObservation> sockets(connections);
  for (std::size_t index = 0; index < connections; ++index) {
    SocketObservation& socket = sockets[index];
    socket.id.cookie = index + 1;
    socket.state = TcpState::established;
    socket.local = {IpAddress::v4({10, 0, 0, 1}), 443};
    socket.remote = {IpAddress::v4({10, 1, static_cast<std::uint8_t>(index / 250), 1}),
                     static_cast<std::uint16_t>(1024 + index)};
  }
  for (int second = 0; second < seconds; ++second) {
    ObservationBatch batch;
    for (std::size_t index = static_cast<std::size_t>(second) % 10; index < connections; index += 10) {
      SocketObservation& socket = sockets[index];
      std::array<std::byte, tcp_info::kKnownSize> info{};
      for (std::size_t at = 24; at < 240; at += 4) info[at] = static_cast<std::byte>(random());
      socket.info = TcpInfoSample(info);
      socket.takenAt = recorder.now();
      batch.changed.push_back(socket);
    }
    batch.unchanged = connections - batch.changed.size();
    batch.dumpEndedAt = recorder.now();
    recorder.take(batch);
    recorder.endPoll();
  }
}

/// What a window shows of that moment: everything known then.
std::size_t rowsAt(RecordingReader& reader, Moment moment) {
  AnalysisSession session;
  session.setPlaces({reader.hello().place}, reader.hello().clock);
  reader.seek(moment);
  while (auto value = reader.next()) {
    const auto batch = observationsOf(std::move(*value), reader.hello().place.id);
    if (!batch) continue;
    session.accept(*batch);
    if (batch->dumpEndedAt && *batch->dumpEndedAt >= moment) break;
  }
  return session.tick(moment)->totalRows;
}

void openHour(std::size_t connections, int seconds, bool quick) {
  const RecordedFile file;
  Recorder recorder(file.path);
  const Moment begin = recorder.now();
  writeHour(recorder, connections, seconds);
  const double openFrom = wallSeconds();
  const auto reader = RecordingReader::open(file.path, PlaceId{0});
  if (!reader || rowsAt(**reader, begin + std::chrono::seconds(1)) == 0) giveUp("the recording cannot be read");
  const double openMs = (wallSeconds() - openFrom) * 1e3;
  const std::string name = fmt::format("{} s of {} connections", seconds, connections);
  publish({"opening " + name, fmt::format("{:.1f} ms, {:.0f} MB", openMs, static_cast<double>(recorder.bytes()) / 1e6),
           "", openMs, "ms", quick ? std::nullopt : std::optional(2000.0)});
  std::mt19937_64 random(2);
  std::vector<double> seeks;
  for (int seek = 0; seek < 50; ++seek) {
    const auto second = std::uniform_int_distribution<int>(10, seconds - 2)(random);
    const double from = wallSeconds();
    if (rowsAt(**reader, begin + std::chrono::seconds(second)) < connections / 2) giveUp("connections are missing");
    seeks.push_back((wallSeconds() - from) * 1e3);
  }
  publish({"seeking in " + name,
           fmt::format("median {:.1f} ms, longest {:.1f} ms", median(seeks), quantile(seeks, 1.0)), "",
           quantile(seeks, 1.0), "ms", quick ? std::nullopt : std::optional(100.0)});
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  const std::size_t connections = quick ? 1'000 : 10'000;
  const auto target = [quick](double value) { return quick ? std::nullopt : std::optional(value); };
  recordPolls(connections, 5, quick ? 2 : 20, target(1.5), target(40));
  recordPolls(connections, 100, quick ? 2 : 10, std::nullopt, std::nullopt);
  openHour(quick ? 100 : 1'000, quick ? 60 : 3600, quick);
  return 0;
}
