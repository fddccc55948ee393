#include "tests/support/program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <utility>

#include "tests/support/built_paths.h"

extern char** environ;

namespace tcpscope::test {

namespace {

struct Stream {
  int descriptor = -1;
  std::string* text = nullptr;
};

/// Both streams to their ends, whichever has something first.
void readToEnd(std::array<Stream, 2> streams) {
  std::array<char, 65536> part{};
  while (streams[0].descriptor >= 0 || streams[1].descriptor >= 0) {
    std::array<pollfd, 2> waiting{{{streams[0].descriptor, POLLIN, 0}, {streams[1].descriptor, POLLIN, 0}}};
    if (poll(waiting.data(), waiting.size(), -1) < 0) continue;
    for (std::size_t index = 0; index < streams.size(); ++index) {
      Stream& stream = streams[index];
      if (stream.descriptor < 0 || waiting[index].revents == 0) continue;
      const ssize_t size = read(stream.descriptor, part.data(), part.size());
      if (size > 0) {
        stream.text->append(part.data(), static_cast<std::size_t>(size));
      } else {
        close(stream.descriptor);
        stream.descriptor = -1;
      }
    }
  }
}

}  // namespace

Outcome runProgram(const std::string& program, std::vector<std::string> words) {
  std::array<int, 2> out{};
  std::array<int, 2> error{};
  if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(error.data(), O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, error[1], STDERR_FILENO);
  // Else the peak of this process counts as the child's.
  std::ofstream("/proc/self/clear_refs") << 5;
  std::string name = program;
  std::vector<char*> arguments = {name.data()};
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = -1;
  const int spawned = posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  close(error[1]);
  Outcome outcome;
  readToEnd({{{out[0], &outcome.out}, {error[0], &outcome.error}}});
  int status = 0;
  rusage usage{};
  if (spawned != 0 || wait4(child, &status, 0, &usage) != child) return outcome;
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  outcome.peakBytes = static_cast<std::size_t>(usage.ru_maxrss) << 10U;
  return outcome;
}

Outcome runCommandLine(std::vector<std::string> words) {
  return runProgram(commandLineProgram(), std::move(words));
}

bool isOneLine(const std::string& text) {
  return !text.empty() && text.find('\n') == text.size() - 1;
}

}  // namespace tcpscope::test
