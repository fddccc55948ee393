// Where the bytes of a capture come from: a file, standard input, a helper's pipe, a test.
//
// Reading may give as little as one byte at a time; what is made of the bytes must not depend on that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "core/base/expected.h"
#include "core/model/capture_fault.h"

namespace tcpscope {

class ByteSource {
public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// How many bytes it wrote to `out`, which is not empty; 0 at the end. After a failure, and after the end, it is not
  /// called again.
  virtual Expected<std::size_t, CaptureFault> read(std::span<std::byte> out) = 0;
  /// How many there will be in all, where that is known.
  [[nodiscard]] virtual std::optional<std::uint64_t> size() const { return std::nullopt; }
  /// The next read() begins so many bytes behind the beginning, also after the end. False where only one order is
  /// possible.
  virtual bool seek(std::uint64_t /*offset*/) { return false; }
};

/// Fails with `openFailed`.
Expected<std::unique_ptr<ByteSource>, CaptureFault> openFile(const std::filesystem::path& path);
/// As openFile(), and where it is no regular file (EINVAL): never waits for a FIFO's writer.
Expected<std::unique_ptr<ByteSource>, CaptureFault> openRegularFile(const std::filesystem::path& path);
/// Standard input, from where it stands now. Fails with `openFailed`.
Expected<std::unique_ptr<ByteSource>, CaptureFault> openStandardInput();
/// Closes the descriptor at its end. A read blocks as long as the descriptor does.
std::unique_ptr<ByteSource> descriptorSource(int descriptor);

}  // namespace tcpscope
