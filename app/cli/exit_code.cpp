#include "app/cli/exit_code.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "core/base/escape.h"
#include "core/present/text/error_text.h"
#include "core/present/text/source_text.h"
#include "core/session/recording_facts.h"

namespace tcpscope {

namespace {

/// A directory, a link or a device where a new file was to go (NewFile::mayCreate()).
bool isUnsuitableTarget(const SystemError& error) {
  const bool writes = error.attempt == SystemAttempt::writeOutput || error.attempt == SystemAttempt::writeRecording ||
                      error.attempt == SystemAttempt::writeReport;
  return writes && (error.errorNumber == EISDIR || error.errorNumber == ELOOP || error.errorNumber == ENOTSUP);
}

}  // namespace

ExitCode fail(ExitCode code, std::string_view message) {
  fmt::print(stderr, "tcpscope-cli: {}\n", forTerminal(message));
  return code;
}

ExitCode fail(const SystemError& error) {
  const bool ofNamespace =
      error.attempt == SystemAttempt::openNamespace || error.attempt == SystemAttempt::enterNamespace;
  ExitCode code = ExitCode::systemFailed;
  if (error.errorNumber == EPERM || error.errorNumber == EACCES) code = ExitCode::missingRight;
  if (ofNamespace && (error.errorNumber == ENOENT || error.errorNumber == ESRCH || error.errorNumber == EINVAL)) {
    code = ExitCode::notThere;
  }
  if (isUnsuitableTarget(error)) code = ExitCode::wrongUsage;
  if (error.attempt == SystemAttempt::openRecording && error.errorNumber == ENOENT) code = ExitCode::notThere;
  if (error.attempt == SystemAttempt::readRecording && error.errorNumber == 0) code = ExitCode::badInput;
  std::string text = sentence(error);
  if (error.attempt == SystemAttempt::reachAgent && error.errorNumber == ENOPKG) {
    text += ": see --through-ss and --copy-agent";
  }
  return fail(code, text);
}

void reportDamage(const std::string& file, const RecordingFacts& recording) {
  if (recording.isWhole()) return;
  fmt::print(stderr, "tcpscope-cli: '{}' is {}; everything else in it is shown\n", forTerminal(file),
             damageText(recording));
}

void reportMissingNamespaces() {
  fmt::print(stderr, "tcpscope-cli: some network namespaces are left out, which this process may not see or enter{}\n",
             geteuid() == 0 ? "" : "; run it as root for them");
}

void reportGaps(const std::vector<CollectionGap>& gaps) {
  if (const std::string lost = incompleteText(gaps); !lost.empty()) fmt::print(stderr, "tcpscope-cli: {}\n", lost);
}

}  // namespace tcpscope
