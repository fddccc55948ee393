#include "app/remote/agent_copy.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <string>
#include <utility>

#include "app/remote/poll_timeout.h"
#include "app/remote/ustar.h"
#include "app/remote/without_pipe_signal.h"

namespace tcpscope {

namespace {

constexpr std::string_view kCopyWord = "tcpscope-copy ";
constexpr std::string_view kMachineWord = "machine ";
constexpr std::size_t kMaxLineBytes = 4096;
/// What a login may say before.
constexpr std::size_t kMaxBytesBefore = 64U << 10U;
/// As long as nothing moves.
constexpr Nanoseconds kCopyTimeout = std::chrono::seconds(30);

int errnoOfFailure(std::string_view what) {
  if (what == "failed room") return ENOSPC;
  if (what == "failed checksum") return EBADMSG;
  return what == "failed run" ? ENOTSUP : EPIPE;
}

/// One conversation; each step gives 0 or an errno.
class CopyConversation {
public:
  CopyConversation(const AgentPipes& pipes, Moment deadline, const AgentInterrupt& interrupt,
                   const MakeBundle& makeBundle)
      : m_pipes(pipes),
        m_output(pipes.requestsDescriptor),
        m_deadline(deadline),
        m_interrupt(interrupt),
        m_makeBundle(makeBundle) {}

  int run() {
    const WithoutPipeSignal quiet;
    if (const int error = hear()) return error;
    if (!m_said.starts_with(kMachineWord)) return errnoOfFailure(m_said);
    utsname here{};
    if (uname(&here) != 0 || m_said.substr(kMachineWord.size()) != here.machine) return ENOEXEC;
    const auto tar = m_makeBundle();
    if (!tar) return tar.error();
    send(*tar);
    // Also where not everything was read: the answer gives the reason.
    if (const int error = hear()) return error;
    return m_said == "ready" ? 0 : errnoOfFailure(m_said);
  }

private:
  void send(std::span<const std::byte> tar) {
    const std::string order = fmt::format("{} {}\n", tar.size(), posixChecksum(tar));
    std::vector<std::byte>& out = m_output.buffer();
    const auto words = std::as_bytes(std::span(order));
    out.insert(out.end(), words.begin(), words.end());
    out.insert(out.end(), tar.begin(), tar.end());
  }

  /// The next line that is of the conversation, into m_said; writes meanwhile what waits.
  int hear() {
    while (true) {
      // Byte by byte: what follows the last line are frames, and another's.
      char letter = 0;
      while (std::exchange(m_isReadable, false)) {
        const ssize_t count = ::read(m_pipes.framesDescriptor, &letter, 1);
        if (count < 0 && errno == EINTR) break;
        if (count <= 0) return EPIPE;
        if (++m_heard > kMaxBytesBefore) return EPIPE;
        if (letter == '\n' && takeLine()) return 0;
        if (letter != '\n' && m_line.size() < kMaxLineBytes) m_line.push_back(letter);
        pollfd more{m_pipes.framesDescriptor, POLLIN, 0};
        m_isReadable = poll(&more, 1, 0) > 0;
      }
      if (const int error = wait()) return error;
    }
  }

  bool takeLine() {
    const std::string line = std::exchange(m_line, {});
    if (!line.starts_with(kCopyWord)) return false;
    m_said = line.substr(kCopyWord.size());
    return true;
  }

  int wait() {
    if (monotonicNow() >= m_deadline) return ETIMEDOUT;
    const bool sends = m_output.waiting() > 0 && m_output.errorNumber() == 0;
    std::array<pollfd, 4> entries{{{m_pipes.framesDescriptor, POLLIN, 0},
                                   {sends ? m_pipes.requestsDescriptor : -1, POLLOUT, 0},
                                   {m_interrupt.wakeDescriptor, POLLIN, 0},
                                   {m_interrupt.secondDescriptor, POLLIN, 0}}};
    if (poll(entries.data(), entries.size(), pollTimeout(m_deadline)) <= 0) return 0;
    if ((entries[2].revents != 0 || entries[3].revents != 0) && m_interrupt.isOver()) return ECANCELED;
    m_isReadable = entries[0].revents != 0;
    if (entries[1].revents != 0) {
      m_output.flush();
      m_deadline = std::max(m_deadline, monotonicNow() + kCopyTimeout);
    }
    return 0;
  }

  const AgentPipes& m_pipes;
  FrameOutput m_output;
  Moment m_deadline;
  const AgentInterrupt& m_interrupt;
  const MakeBundle& m_makeBundle;
  bool m_isReadable = false;
  std::size_t m_heard = 0;
  std::string m_line;
  std::string m_said;
};

}  // namespace

std::string copyCommand(bool isOfEveryNamespace) {
  // In one line and without single quotes, exclamation marks and backslashes, so that fish and csh hand it on as it is.
  constexpr std::string_view kCommand =
      "sh -c '"
      "trap \"\" PIPE; umask 077; unset LD_PRELOAD LD_LIBRARY_PATH; "
      "say() { echo \"tcpscope-copy $*\"; }; "
      "fail() { say failed \"$1\"; exit 1; }; "
      "dir=$(mktemp -d \"${TMPDIR:-/tmp}/tcpscope-XXXXXXXXXX\") || fail room; "
      "clean() { rm -rf \"$dir\"; }; trap clean EXIT; trap \"exit 1\" HUP INT TERM; "
      "say machine \"$(uname -m)\"; "
      "read -r size sum || exit 1; "
      "head -c \"$size\" >\"$dir/agent.tar\" || fail room; "
      "set -- $(cksum <\"$dir/agent.tar\"); [ \"$1 $2\" = \"$sum $size\" ] || fail checksum; "
      "(cd \"$dir\" && tar -xf agent.tar && rm agent.tar) || fail room; "
      "run() { \"$dir/ld.so\" --inhibit-cache --library-path \"$dir\" \"$dir/tcpscope-agent\" \"$@\"; }; "
      "run --version >/dev/null 2>&1 </dev/null || fail run; "
      "say ready; run";
  return fmt::format("{}{}'", kCommand, isOfEveryNamespace ? " --netns=all" : "");
}

Expected<void, SystemError> copyAgent(const AgentPipes& pipes, Moment deadline, const AgentInterrupt& interrupt,
                                      const MakeBundle& makeBundle) {
  const int error = CopyConversation(pipes, deadline, interrupt, makeBundle).run();
  if (error != 0) return Unexpected<SystemError>({SystemAttempt::copyAgent, error, UntrustedText(pipes.name)});
  return {};
}

}  // namespace tcpscope
