// Figure 2: how long `tcpscope-cli list` takes on 50,000 connections against `ss`: without owners against `ss -tin`,
// with owners against `ss -tinp`. Whole processes, wall time, in turns; the medians are compared.
#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>

#include "tests/bench/held_connections.h"
#include "tests/bench/measurement.h"

extern char** environ;

namespace {

using namespace tcpscope::bench;
using Command = std::vector<std::string>;

/// Wall time of the command in seconds, its output discarded. Ends the program where it fails.
double runOnce(const Command& command) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t pid = -1;
  int status = -1;
  const double before = wallSeconds();
  const int error = posix_spawnp(&pid, arguments.front(), &actions, nullptr, arguments.data(), environ);
  if (error == 0) waitpid(pid, &status, 0);
  const double seconds = wallSeconds() - before;
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0 || status != 0) {
    fmt::print(stderr, "{} did not succeed\n", command.front());
    std::exit(EXIT_FAILURE);
  }
  return seconds;
}

void compare(const std::string& name, const Command& ours, const Command& peer, int rounds,
             std::optional<double> target) {
  std::vector<double> ourSeconds;
  std::vector<double> peerSeconds;
  for (int round = 0; round < rounds; ++round) {
    ourSeconds.push_back(runOnce(ours));
    peerSeconds.push_back(runOnce(peer));
  }
  publish({name, fmt::format("{:.0f} ms", median(ourSeconds) * 1e3),
           fmt::format("{} {} {:.0f} ms", peer[0], peer[1], median(peerSeconds) * 1e3),
           median(ourSeconds) / median(peerSeconds), "ratio", target});
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = isQuick(argc, argv);
  const std::size_t sockets = quick ? 500 : 50'000;
  const HeldConnections held(sockets);
  const std::string cli = TCPSCOPE_CLI;
  const auto targetUnlessQuick = [&](double target) { return quick ? std::nullopt : std::optional(target); };
  compare(fmt::format("list --no-resolve, {} connections", sockets), {cli, "list", "--no-resolve"}, {"ss", "-tin"},
          quick ? 2 : 9, targetUnlessQuick(0.5));
  compare(fmt::format("list with owners, {} connections", sockets), {cli, "list"}, {"ss", "-tinp"}, quick ? 2 : 5,
          targetUnlessQuick(0.25));
  return 0;
}
