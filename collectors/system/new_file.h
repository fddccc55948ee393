// A file that a user named to be written: made under a random name beside its own, which it takes by rename(2).
//
// Nothing that exists is opened, so that a link put in its way cannot make root overwrite another file.
#pragma once

#include <filesystem>
#include <string>

#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"

namespace tcpscope {

class NewFile {
public:
  /// Whether a file may be made there, or replaced. Fails with errno: EISDIR for a directory, ELOOP for a link, ENOTSUP
  /// for a FIFO, a device or a socket. A later write may still fail.
  static Expected<void, int> mayCreate(const std::filesystem::path& target);
  /// Fails as mayCreate(). Mode 0600; a replaced file of this user keeps its own.
  static Expected<NewFile, int> create(const std::filesystem::path& target);

  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&& other) = delete;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  /// Removes a file that has not taken its name.
  ~NewFile() { discard(); }

  [[nodiscard]] int descriptor() const { return m_descriptor.get(); }
  /// Hands the open file over; the names stay here.
  OwnedDescriptor takeDescriptor() { return std::move(m_descriptor); }
  /// Replaces what has the name by now. Fails with errno. Nothing happens the second time.
  Expected<void, int> takeName();
  [[nodiscard]] bool hasName() const { return m_temporary.empty(); }
  void discard();

private:
  NewFile(std::filesystem::path target, std::string temporary, OwnedDescriptor descriptor)
      : m_target(std::move(target)), m_temporary(std::move(temporary)), m_descriptor(std::move(descriptor)) {}

  std::filesystem::path m_target;
  /// Empty once the file has taken its name or is removed.
  std::string m_temporary;
  OwnedDescriptor m_descriptor;
};

}  // namespace tcpscope
