// What looking at another host costs there: processor time of an agent over 10,000 connections, of which a twentieth
// does something each second, and what it says on the wire, against bare dumps of the same sockets at the same rate.
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "app/remote/started_agent.h"
#include "collectors/system/monotonic_clock.h"
#include "collectors/trace/trace_writer.h"
#include "tests/bench/bare_dump.h"
#include "tests/bench/held_connections.h"
#include "tests/bench/measurement.h"

namespace {

using namespace tcpscope;
using namespace tcpscope::bench;

constexpr Milliseconds kPollInterval{1000};

/// Of this process' child that is the agent, in seconds (proc_pid_stat(5): 4 parent, 14 user, 15 system).
double agentCpuSeconds() {
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name = line.rfind(')');
    if (name == std::string::npos || line.find("(tcpscope-") == std::string::npos) continue;
    std::istringstream rest(line.substr(name + 1));
    std::vector<std::string> words;
    for (std::string word; rest >> word;) words.push_back(word);
    if (words.size() < 13 || words[1] != std::to_string(getpid())) continue;
    return (std::stod(words[11]) + std::stod(words[12])) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  giveUp("there is no agent");
}

/// The bytes that ssh puts on the wire with compression: zlib at its default level, flushed after each packet (OpenSSH,
/// packet.c).
class SshCompression {
public:
  SshCompression() {
    if (deflateInit(&m_stream, Z_DEFAULT_COMPRESSION) != Z_OK) giveUp("no compression");
  }
  SshCompression(const SshCompression&) = delete;
  SshCompression& operator=(const SshCompression&) = delete;
  ~SshCompression() { deflateEnd(&m_stream); }

  std::size_t bytesOf(std::span<char> data) {
    std::array<Bytef, 131'072> out;
    m_stream.next_in = reinterpret_cast<Bytef*>(data.data());
    m_stream.avail_in = static_cast<uInt>(data.size());
    m_stream.next_out = out.data();
    m_stream.avail_out = out.size();
    if (deflate(&m_stream, Z_PARTIAL_FLUSH) != Z_OK || m_stream.avail_in > 0) giveUp("compression failed");
    return out.size() - m_stream.avail_out;
  }

private:
  z_stream m_stream{};
};

struct Wire {
  std::size_t plain = 0;
  std::size_t compressed = 0;
};

/// Takes what the agent says until then.
Wire takeUntil(const AgentPipes& pipes, SshCompression& compression, Moment end) {
  std::array<char, 32'768> chunk;
  Wire bytes;
  for (Moment now = monotonicNow(); now < end; now = monotonicNow()) {
    pollfd entry{pipes.framesDescriptor, POLLIN, 0};
    if (poll(&entry, 1, static_cast<int>((end - now) / Milliseconds(1)) + 1) <= 0) continue;
    const ssize_t count = ::read(pipes.framesDescriptor, chunk.data(), chunk.size());
    if (count <= 0) giveUp("the agent ended");
    const std::span data(chunk.data(), static_cast<std::size_t>(count));
    bytes.plain += data.size();
    bytes.compressed += compression.bytesOf(data);
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  HeldConnections held(quick ? 1'000 : 10'000);
  const auto agent = StartedAgent::start("agent", {TCPSCOPE_CLI, "agent"});
  if (!agent) giveUp("no agent can be started");
  const AgentPipes pipes = (*agent)->pipes();
  std::vector<std::byte> request;
  TraceWriter(request).write(IntervalRequest{kPollInterval, kPollInterval});
  if (write(pipes.requestsDescriptor, request.data(), request.size()) < 0) giveUp("the agent does not listen");
  // It says everything once, and looks for the programs behind the sockets.
  SshCompression compression;
  takeUntil(pipes, compression, monotonicNow() + std::chrono::seconds(quick ? 1 : 5));

  const int seconds = quick ? 2 : 20;
  BareDump bare;
  std::vector<double> dumps;
  const double cpuFrom = agentCpuSeconds();
  const double from = wallSeconds();
  Wire bytes;
  for (int second = 0; second < seconds; ++second) {
    const Moment end = monotonicNow() + kPollInterval;
    held.change(5);
    dumps.push_back(threadCpuOf([&] { bare.dump(); }));
    const Wire more = takeUntil(pipes, compression, end);
    bytes.plain += more.plain;
    bytes.compressed += more.compressed;
  }
  const double span = wallSeconds() - from;
  const double percent = (agentCpuSeconds() - cpuFrom) / span * 100;
  const auto kilobytes = [span](std::size_t count) { return static_cast<double>(count) / span / 1e3; };
  const auto target = [quick](double value) { return quick ? std::nullopt : std::optional(value); };
  const std::string name = fmt::format("agent, {} connections, 5 % changed", held.sockets());
  publish({name, fmt::format("{:.1f} % of a core", percent),
           fmt::format("a dump a second {:.1f} %", median(dumps) / toSeconds(kPollInterval) * 100), percent, "%",
           target(2)});
  const double onWire = kilobytes(bytes.compressed);
  publish({name + ", on the wire", fmt::format("{:.0f} KB/s", onWire),
           fmt::format("before ssh compresses it {:.0f} KB/s", kilobytes(bytes.plain)), onWire, "KB/s", target(200)});
  return 0;
}
