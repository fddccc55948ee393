// The file of `--output`, or standard output for "-" and /dev/stdout.
#pragma once

#include <optional>
#include <string>

#include "collectors/system/new_file.h"
#include "core/base/system_error.h"

namespace tcpscope {

class OutputFile {
public:
  /// What has the name keeps it until takeName(). Fails as NewFile::create().
  static Expected<OutputFile, SystemError> create(const std::string& name, SystemAttempt attempt);

  [[nodiscard]] int descriptor() const { return m_file ? m_file->descriptor() : m_standardOutput.get(); }
  /// Once what was written is of use. Nothing happens the second time, and on standard output.
  Expected<void, SystemError> takeName();
  /// Whether something was written to a file that has not taken its name.
  [[nodiscard]] bool waitsForName() const;
  [[nodiscard]] SystemError error(int errorNumber) const;

private:
  OutputFile(std::string name, SystemAttempt attempt) : m_name(std::move(name)), m_attempt(attempt) {}

  std::string m_name;
  SystemAttempt m_attempt;
  /// Either this or the next.
  std::optional<NewFile> m_file;
  OwnedDescriptor m_standardOutput;
};

}  // namespace tcpscope
