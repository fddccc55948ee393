#include "app/probe/ssh_sender.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "app/remote/program_output.h"
#include "app/remote/ssh_command.h"
#include "app/remote/ssh_failure.h"
#include "collectors/system/child_process.h"
#include "collectors/system/monotonic_clock.h"
#include "core/base/escape.h"
#include "core/present/json/probe_document.h"

namespace tcpscope {

namespace {

using Failure = Unexpected<std::string>;

/// Beside the runs: to connect, to type a password, and for answers.
constexpr Nanoseconds kBesideRuns = std::chrono::minutes(2);

/// All that the program says until it ends.
Expected<std::string, std::string> readAnswer(int output, int wakeDescriptor, Moment deadline) {
  std::string text;
  std::vector<char> bytes(65'536);
  while (true) {
    const auto left = std::chrono::ceil<Milliseconds>(std::max(deadline - monotonicNow(), Nanoseconds(0))).count();
    if (left == 0) return Failure("it did not answer in time");
    std::array<pollfd, 2> waiting = {{{output, POLLIN, 0}, {wakeDescriptor, POLLIN, 0}}};
    if (poll(waiting.data(), waiting.size(), static_cast<int>(std::min<std::int64_t>(left, 1000))) <= 0) continue;
    if (waiting[1].revents != 0) return Failure("interrupted");
    const ssize_t count = read(output, bytes.data(), bytes.size());
    if (count <= 0) return text;
    text.append(bytes.data(), static_cast<std::size_t>(count));
    if (text.size() > kMostProbeDocumentBytes) return Failure("its answer is too long");
  }
}

std::string reasonOf(const ExitStatus& status, const std::string& listener) {
  constexpr int kNoCommand = 127;
  constexpr int kNotThere = 1;
  constexpr int kWrongUsage = 2;
  const int code = status.code().value_or(-1);
  if (code == 0) return "its answer cannot be read";
  if (code == kSshFailed) return "ssh could not connect to it";
  if (code == kNoCommand) return "it has no tcpscope-cli in its PATH";
  if (code == kNotThere) return fmt::format("it could not measure to {}", forTerminal(UntrustedText(listener)));
  if (code == kWrongUsage) return "its tcpscope-cli is of another version";
  return fmt::format("its tcpscope-cli failed (exit status {})", code);
}

}  // namespace

Expected<ProbeAnalysis, std::string> probeFrom(const ProbeTarget& from, const std::string& listener,
                                               const ProbeAmount& amount, int wakeDescriptor) {
  const auto failed = [&](const std::string& why) {
    return Failure(fmt::format("{}: {}", forTerminal(UntrustedText(from.name)), why));
  };
  ChildCommand command;
  command.arguments = sshWords(from.address, SshManner::inTerminal);
  const std::vector<std::string> words = {"tcpscope-cli",
                                          "probe",
                                          listener,
                                          "--rate",
                                          fmt::format("{:.0f}bit", amount.rate.value()),
                                          "--for",
                                          fmt::format("{:.3f}", toSeconds(amount.time)),
                                          "--until-eof",
                                          "--json"};
  for (std::string& word : wordsForThere(words)) command.arguments.push_back(std::move(word));
  // Its end is the end of the sender there, however this program ends.
  command.input = ChildStream::pipe();
  command.output = ChildStream::pipe();
  auto ssh = ChildProcess::start(command);
  if (!ssh) return failed("cannot start ssh; install the package openssh-client");
  const auto answer = readAnswer(ssh->output().get(), wakeDescriptor, monotonicNow() + amount.time + kBesideRuns);
  if (!answer) return failed(answer.error());
  const auto status = ssh->waitFor(std::chrono::seconds(10));
  if (!status) return failed("it did not end");
  if (auto analysis = parseProbe(documentIn(*answer))) return *std::move(analysis);
  return failed(reasonOf(*status, listener));
}

}  // namespace tcpscope
