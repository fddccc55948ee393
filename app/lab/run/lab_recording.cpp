#include "app/lab/run/lab_recording.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "collectors/system/monotonic_clock.h"
#include "collectors/trace/recording_output.h"
#include "collectors/trace/trace_writer.h"

namespace tcpscope::lab {

namespace {

using SystemFailure = Unexpected<SystemError>;

constexpr int kPollMs = 100;
/// An agent that was asked to stop says the rest at once.
constexpr Nanoseconds kRestTimeout = std::chrono::seconds(5);
constexpr std::size_t kChunkBytes = 64U << 10U;

/// One host's agent and the file that it speaks into.
class HostRecording {
public:
  HostRecording(const AgentPipe& agent, std::unique_ptr<RecordingOutput> output)
      : m_agent(agent), m_output(std::move(output)) {}

  template <class Request>
  void ask(const Request& request) const {
    std::vector<std::byte> bytes;
    TraceWriter(bytes).write(request);
    // A few bytes into an empty pipe; an agent that is gone shows in what is read.
    static_cast<void>(!::write(m_agent.requestsDescriptor, bytes.data(), bytes.size()));
  }

  [[nodiscard]] pollfd entry() const { return {m_hasEnded ? -1 : m_agent.framesDescriptor, POLLIN, 0}; }
  [[nodiscard]] bool hasEnded() const { return m_hasEnded; }

  Expected<void, SystemError> take() {
    std::array<std::byte, kChunkBytes> chunk;
    const ssize_t count = ::read(m_agent.framesDescriptor, chunk.data(), chunk.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return {};
    if (count <= 0) {
      m_hasEnded = true;
      return {};
    }
    auto& buffer = m_output->buffer();
    buffer.insert(buffer.end(), chunk.begin(), chunk.begin() + count);
    m_output->flush();
    return written();
  }
  Expected<void, SystemError> finish() {
    m_output->finish();
    return written();
  }
  [[nodiscard]] SystemError endedEarly() const {
    return {SystemAttempt::reachAgent, EPIPE, UntrustedText(m_agent.host)};
  }

private:
  [[nodiscard]] Expected<void, SystemError> written() const {
    if (m_output->errorNumber() == 0) return {};
    return SystemFailure({SystemAttempt::writeRecording, m_output->errorNumber(), UntrustedText(m_agent.host)});
  }

  AgentPipe m_agent;
  std::unique_ptr<RecordingOutput> m_output;
  bool m_hasEnded = false;
};

/// Takes what waits, or waits a moment for something. False when every agent has ended.
Expected<bool, SystemError> takeSome(std::vector<HostRecording>& hosts) {
  std::vector<pollfd> entries;
  bool isAnyLeft = false;
  for (const HostRecording& host : hosts) {
    entries.push_back(host.entry());
    isAnyLeft = isAnyLeft || !host.hasEnded();
  }
  if (!isAnyLeft) return false;
  poll(entries.data(), entries.size(), kPollMs);
  for (std::size_t number = 0; number < hosts.size(); ++number) {
    if (entries[number].revents == 0) continue;
    if (auto taken = hosts[number].take(); !taken) return SystemFailure(taken.error());
  }
  return true;
}

}  // namespace

Expected<std::vector<std::filesystem::path>, SystemError> recordLab(const LabProcess& lab, const std::string& scenario,
                                                                    const std::filesystem::path& folder, Moment until,
                                                                    const std::function<bool()>& isInterrupted) {
  std::vector<std::filesystem::path> files;
  std::vector<HostRecording> hosts;
  for (const AgentPipe& agent : lab.agents()) {
    files.push_back(folder / (scenario + "-" + agent.host + ".tcpscope"));
    auto output = RecordingOutput::create(files.back(), {monotonicNow});
    if (!output) return SystemFailure(output.error());
    hosts.emplace_back(agent, std::move(*output));
    hosts.back().ask(IntervalRequest{kRecordedEvery, kRecordedEvery});
  }
  while (monotonicNow() < until && !isInterrupted()) {
    if (auto taken = takeSome(hosts); !taken) return SystemFailure(taken.error());
    for (const HostRecording& host : hosts) {
      if (host.hasEnded()) return SystemFailure(host.endedEarly());
    }
  }
  for (const HostRecording& host : hosts) host.ask(StopRequest());
  const Moment timeout = monotonicNow() + kRestTimeout;
  for (bool goesOn = true; goesOn && monotonicNow() < timeout;) {
    auto taken = takeSome(hosts);
    if (!taken) return SystemFailure(taken.error());
    goesOn = *taken;
  }
  for (HostRecording& host : hosts) {
    if (auto finished = host.finish(); !finished) return SystemFailure(finished.error());
  }
  return files;
}

}  // namespace tcpscope::lab
