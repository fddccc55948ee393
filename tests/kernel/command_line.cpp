#include "tests/kernel/command_line.h"
#include "tests/support/built_paths.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace tcpscope::test {

CommandResult runCommandLine(const std::vector<std::string>& words) {
  int output[2];
  if (pipe(output) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    dup2(output[1], STDOUT_FILENO);
    close(output[0]);
    close(output[1]);
    std::string program = test::commandLineProgram();
    std::vector<std::string> copies = words;
    std::vector<char*> arguments{program.data()};
    for (std::string& word : copies) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(program.c_str(), arguments.data());
    _exit(127);
  }
  close(output[1]);
  CommandResult result;
  std::array<char, 65536> buffer{};
  for (ssize_t size = 0; (size = read(output[0], buffer.data(), buffer.size())) > 0;) {
    result.output.append(buffer.data(), static_cast<std::size_t>(size));
  }
  close(output[0]);
  int status = 0;
  waitpid(child, &status, 0);
  result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

nlohmann::json documentOf(const std::vector<std::string>& words) {
  return nlohmann::json::parse(runCommandLine(words).output, nullptr, false);
}

}  // namespace tcpscope::test
