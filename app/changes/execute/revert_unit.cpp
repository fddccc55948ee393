#include "app/changes/execute/revert_unit.h"

#include <fmt/format.h>

#include "collectors/system/child_process.h"

namespace tcpscope {

namespace {

/// The manager expands variables in the words of a command, systemd.service(5).
std::string withoutExpansion(const std::string& word) {
  std::string escaped;
  for (const char letter : word) escaped.append(letter == '$' ? 2 : 1, letter);
  return escaped;
}

}  // namespace

std::vector<std::string> revertUnitWords(const RevertUnit& unit) {
  // After the other timer, which then has done it.
  const auto after = std::chrono::ceil<Milliseconds>(unit.after) + std::chrono::seconds(1);
  std::vector<std::string> words = {"systemd-run"};
  if (!unit.isOfSystem) words.emplace_back("--user");
  words.insert(words.end(), {"--quiet", "--collect", "--description=Revert unconfirmed changes of tcpscope",
                             fmt::format("--on-active={}ms", after.count()), "--timer-property=AccuracySec=100ms",
                             "--property=StandardOutput=null"});
  for (const std::string& variable : unit.environment) words.push_back("--setenv=" + variable);
  words.insert(words.end(), {"--", withoutExpansion(unit.program), "changes"});
  if (unit.networkNamespace) words.push_back("--netns=" + withoutExpansion(*unit.networkNamespace));
  return words;
}

bool startRevertUnit(const RevertUnit& unit, const ServiceManager& manager) {
  std::error_code error;
  if (!std::filesystem::is_directory(manager.running, error)) return false;
  ChildCommand command;
  command.arguments = revertUnitWords(unit);
  command.program = manager.run;
  command.input = ChildStream::null();
  command.output = ChildStream::null();
  command.errors = ChildStream::null();
  auto process = ChildProcess::start(command);
  if (!process) return false;
  const auto status = process->waitFor(manager.timeout);
  return status && status->code() == 0;
}

}  // namespace tcpscope
