#include "app/remote/ssh_checkup.h"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "app/remote/program_output.h"
#include "app/remote/ssh_failure.h"
#include "collectors/system/child_output.h"
#include "core/base/escape.h"
#include "core/present/text/error_text.h"

namespace tcpscope {

namespace {

using Failure = Unexpected<std::string>;

}  // namespace

std::vector<std::string> checkupWords(const SshAddress& host, SshManner manner, const CheckupOrder& order) {
  std::vector<std::string> words = sshWords(host, manner);
  std::vector<std::string> there = {"tcpscope-cli", "checkup", "--json", "--for",
                                    fmt::format("{:.3f}", toSeconds(order.time))};
  if (order.pid) there.insert(there.end(), {"--pid", std::to_string(*order.pid)});
  // One word: what begins with "-" is no option there, either.
  if (!order.path.empty()) there.push_back("--path=" + order.path);
  for (std::string& word : wordsForThere(there)) words.push_back(std::move(word));
  return words;
}

Milliseconds longestCheckup(const CheckupOrder& order) {
  return order.time + std::chrono::seconds(order.path.empty() ? 45 : 120);
}

CheckupAnswer askForCheckup(const SshAddress& host, SshManner manner, const CheckupOrder& order) {
  ChildCommand command;
  command.arguments = checkupWords(host, manner, order);
  command.input = ChildStream::null();
  if (manner != SshManner::inTerminal) {
    command.hasOwnSession = true;
    command.environment = {kNoAskpass};
  }
  // A password may have to be typed.
  const Milliseconds forPerson = manner == SshManner::inTerminal ? std::chrono::minutes(10) : std::chrono::minutes(0);
  auto output = outputOf(command, {kMostCheckupDocumentBytes, longestCheckup(order) + forPerson});
  if (!output || !output->isComplete) return {};
  return {output->status.code().value_or(-1), std::move(output->text)};
}

Expected<HostCheckup, std::string> checkupIn(std::string_view address, const CheckupAnswer& answer) {
  const UntrustedText name{std::string(address)};
  if (answer.exitCode == 0) {
    if (auto checkup = parseCheckup(documentIn(answer.output))) return *std::move(checkup);
    return Failure(
        fmt::format("the check-up of {} cannot be read: its tcpscope-cli is of another version", forPlainText(name)));
  }
  const auto number = errnoOfSsh(answer.exitCode, answer.errors);
  // Other means of reaching it bring connections, and no check-up.
  if (number == ENOPKG) return Failure(fmt::format("install tcpscope-cli on {} to check it", forPlainText(name)));
  if (number) return Failure(sentence(SystemError{SystemAttempt::reachAgent, *number, name}));
  // It said why on the terminal.
  if (answer.exitCode == kSshFailed) {
    const bool hasNamespace = loginOf(std::string(address)) != address;
    return Failure(fmt::format("ssh could not connect to {}{}", forPlainText(name),
                               hasNamespace ? " or enter its network namespace" : ""));
  }
  if (answer.exitCode < 0) return Failure(forPlainText(name) + " did not answer in time, or ssh is not installed");
  const std::string there = lastSentenceIn(answer.errors);
  return Failure(fmt::format("cannot check {}: {}", forPlainText(name),
                             there.empty() ? fmt::format("tcpscope-cli there ended with {}", answer.exitCode) : there));
}

}  // namespace tcpscope
