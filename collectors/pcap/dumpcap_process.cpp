#include "collectors/pcap/dumpcap_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <vector>

namespace tcpscope {

std::unique_ptr<DumpcapProcess> DumpcapProcess::start(const DumpcapSettings& settings, int output) {
  const LiveCaptureSettings& capture = settings.capture;
  std::vector<std::string> words = {
      settings.program, "-q", "-i", capture.interface, "-s", std::to_string(capture.snapLength.value()), "-w", "-"};
  if (!capture.filter.empty()) words.insert(words.end(), {"-f", capture.filter});
  if (settings.seconds > 0) words.insert(words.end(), {"-a", "duration:" + std::to_string(settings.seconds)});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  if (settings.isQuiet) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t process = -1;
  const int error = posix_spawnp(&process, words.front().c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return nullptr;
  return std::unique_ptr<DumpcapProcess>(new DumpcapProcess(process));
}

DumpcapProcess::~DumpcapProcess() {
  if (m_process == 0) return;
  kill(m_process, SIGKILL);
  wait();
}

void DumpcapProcess::interrupt() const {
  if (m_process != 0) kill(m_process, SIGINT);
}

bool DumpcapProcess::wait() {
  int status = 0;
  while (waitpid(m_process, &status, 0) < 0 && errno == EINTR) continue;
  m_process = 0;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace tcpscope
