#include "app/desktop/command_process.h"

#include <unistd.h>

#include <QDeadlineTimer>
#include <QProcess>

#include "app/remote/ssh_command.h"

namespace tcpscope {

namespace {

constexpr int kLookForStopEveryMs = 100;
/// Documents of changes are some KiB.
constexpr std::size_t kMostBytes = 1U << 20U;

void readInto(CommandResult& answer, QProcess& process) {
  answer.output += process.readAllStandardOutput().toStdString();
  answer.errorText += process.readAllStandardError().toStdString();
}

void forbidPrompts(QProcess& process) {
  // A later one replaces an earlier one of the same name.
  process.setEnvironment(QProcess::systemEnvironment() << kNoAskpass);
  process.setChildProcessModifier([] { setsid(); });
}

}  // namespace

CommandResult runCommand(const std::vector<std::string>& words, const std::stop_token& stop) {
  return runCommandAs({}, words, stop);
}

CommandResult runCommandAs(const CommandManner& manner, const std::vector<std::string>& words,
                           const std::stop_token& stop) {
  QStringList arguments;
  for (auto word = words.begin() + 1; word != words.end(); ++word) arguments << QString::fromStdString(*word);
  QProcess process;
  process.setStandardInputFile(QProcess::nullDevice());
  if (manner.isUnattended) forbidPrompts(process);
  const QDeadlineTimer deadline(manner.timeout ? manner.timeout->count() : -1);
  CommandResult answer;
  process.start(QString::fromStdString(words.front()), arguments);
  while (process.state() != QProcess::NotRunning && !process.waitForFinished(kLookForStopEveryMs)) {
    readInto(answer, process);
    const bool isTooMuch = answer.output.size() + answer.errorText.size() > kMostBytes;
    if (isTooMuch || deadline.hasExpired() || stop.stop_requested()) break;
    if (process.error() == QProcess::FailedToStart) break;
  }
  if (process.state() != QProcess::NotRunning) {
    process.terminate();
    process.waitForFinished();
    return {-1, {}, "ended before it was finished", true};
  }
  if (process.error() == QProcess::FailedToStart) return {-1, {}, process.errorString().toStdString()};
  readInto(answer, process);
  if (process.exitStatus() == QProcess::NormalExit) {
    answer.exitCode = process.exitCode();
  } else {
    answer.errorText = process.errorString().toStdString();
    answer.isLost = true;
  }
  return answer;
}

}  // namespace tcpscope
