// A regular file that a user named to be read: what a report says about it, and what it takes from it.
//
// FIFOs, devices and directories are refused: they have no end, or no bytes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string_view>

#include "collectors/system/owned_descriptor.h"
#include "core/base/expected.h"
#include "core/present/report/report_cover.h"

namespace tcpscope {

class RegularFile {
public:
  /// Fails with errno; ENOTSUP for another kind of file.
  static Expected<RegularFile, int> open(const std::filesystem::path& path);

  /// When it was opened.
  [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
  /// From its beginning to its end, but no more than `most` bytes, until `take` returns false. Fails with errno.
  Expected<std::uint64_t, int> readAll(std::uint64_t most, const std::function<bool(std::string_view)>& take);

private:
  RegularFile(OwnedDescriptor descriptor, std::uint64_t bytes) : m_descriptor(std::move(descriptor)), m_bytes(bytes) {}

  OwnedDescriptor m_descriptor;
  std::uint64_t m_bytes;
};

/// Name, size and SHA-256 of a file: seconds for a gigabyte. Fails with errno; ENOTSUP for another kind of file,
/// ECANCELED once a stop is requested.
Expected<ReportedFile, int> describeFile(const std::filesystem::path& path, const std::stop_token& stop = {});

}  // namespace tcpscope
