#include "app/cli/output_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace tcpscope {

Expected<OutputFile, SystemError> OutputFile::create(const std::string& name, SystemAttempt attempt) {
  OutputFile output(name, attempt);
  if (name == "-" || name == "/dev/stdout") {
    output.m_standardOutput = duplicate(STDOUT_FILENO);
    if (!output.m_standardOutput) return Unexpected<SystemError>(output.error(errno));
    return output;
  }
  auto file = NewFile::create(name);
  if (!file) return Unexpected<SystemError>(output.error(file.error()));
  output.m_file.emplace(std::move(*file));
  return output;
}

Expected<void, SystemError> OutputFile::takeName() {
  if (!m_file) return {};
  if (const auto taken = m_file->takeName(); !taken) return Unexpected<SystemError>(error(taken.error()));
  return {};
}

bool OutputFile::waitsForName() const {
  struct stat status {};
  return m_file && !m_file->hasName() && ::fstat(m_file->descriptor(), &status) == 0 && status.st_size > 0;
}

SystemError OutputFile::error(int errorNumber) const {
  return {m_attempt, errorNumber, UntrustedText(m_name)};
}

}  // namespace tcpscope
