// Any bytes as what a host's shell answers while an agent is deployed there: the deployment ends with success or an
// error, sends the program only to a machine of this architecture, and leaves every byte behind "ready" to the frames.
#include <fcntl.h>
#include <sys/utsname.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "app/remote/agent_copy.h"
#include "app/remote/ssh_failure.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/invariant.h"
#include "core/present/text/error_text.h"
#include "tests/support/hostile_strings.h"

namespace {

using namespace tcpscope;

/// What a pipe holds without a reader.
constexpr std::size_t kMostBytes = 60'000;

struct Pipe {
  Pipe() {
    int ends[2];
    TCPSCOPE_INVARIANT(pipe2(ends, O_CLOEXEC) == 0);
    reading = OwnedDescriptor(ends[0]);
    writing = OwnedDescriptor(ends[1]);
  }
  OwnedDescriptor reading;
  OwnedDescriptor writing;
};

std::string restOf(int descriptor) {
  std::string rest(kMostBytes + 1, '\0');
  std::size_t size = 0;
  while (true) {
    const ssize_t count = ::read(descriptor, rest.data() + size, rest.size() - size);
    if (count <= 0) break;
    size += static_cast<std::size_t>(count);
  }
  rest.resize(size);
  return rest;
}

std::string machineLine() {
  utsname here{};
  TCPSCOPE_INVARIANT(uname(&here) == 0);
  return std::string("tcpscope-copy machine ") + here.machine + '\n';
}

/// What follows the second line of the conversation.
std::string_view framesIn(std::string_view answer) {
  for (int lines = 0; lines < 2;) {
    const std::size_t end = answer.find('\n');
    TCPSCOPE_INVARIANT(end != std::string_view::npos);
    if (answer.starts_with("tcpscope-copy ")) ++lines;
    answer.remove_prefix(end + 1);
  }
  return answer;
}

void tryAnswer(std::string_view answer) {
  Pipe frames;
  const Pipe requests;
  answer = answer.substr(0, kMostBytes);
  TCPSCOPE_INVARIANT(::write(frames.writing.get(), answer.data(), answer.size()) ==
                     static_cast<ssize_t>(answer.size()));
  frames.writing.reset();
  bool isSent = false;
  const AgentPipes pipes{"host", frames.reading.get(), requests.writing.get(), AgentMeans::copied};
  const auto copied =
      copyAgent(pipes, monotonicNow() + std::chrono::seconds(10), {}, [&]() -> Expected<std::vector<std::byte>, int> {
        isSent = true;
        return std::vector<std::byte>(100);
      });
  TCPSCOPE_INVARIANT(!isSent || answer.find(machineLine()) != std::string_view::npos);
  if (copied) {
    TCPSCOPE_INVARIANT(isSent);
    TCPSCOPE_INVARIANT(restOf(frames.reading.get()) == framesIn(answer));
  } else {
    // The shell has ended: there is nothing to wait for.
    TCPSCOPE_INVARIANT(copied.error().errorNumber != ETIMEDOUT);
    TCPSCOPE_INVARIANT(test::harmIn(sentence(copied.error())).empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view answer(reinterpret_cast<const char*>(bytes), size);
  tryAnswer(answer);
  // A search would hardly find this line.
  tryAnswer(machineLine() + std::string(answer));
  for (const int code : {0, 1, 127, 255}) {
    const auto error = errnoOfSsh(code, answer);
    TCPSCOPE_INVARIANT(!error || *error > 0);
  }
  return 0;
}
