// The bytes of another source, unpacked where they are compressed with gzip or zstd, as they are where not.
//
// Other compressions pass unchanged: the reader of the bytes names their format. Memory is bounded: zlib needs 32 KiB,
// zstd what the file asks for, at most its own default limit of 128 MiB.
#pragma once

#include <vector>

#include "collectors/pcap/byte_source.h"

namespace tcpscope {

class UnpackingSource final : public ByteSource {
public:
  explicit UnpackingSource(std::unique_ptr<ByteSource> packed);
  ~UnpackingSource() override;
  UnpackingSource(const UnpackingSource&) = delete;
  UnpackingSource& operator=(const UnpackingSource&) = delete;

  /// Fails as the inner source does, with `cut` where the end comes inside of what is packed, and with
  /// `damagedCompression`. What could be unpacked before that is given first.
  Expected<std::size_t, CaptureFault> read(std::span<std::byte> out) override;
  /// Not in what is packed.
  bool seek(std::uint64_t offset) override;

  /// Bytes taken from the inner source so far, and how many it has: for a progress bar.
  [[nodiscard]] std::uint64_t packedBytesRead() const { return m_packedBytes; }
  [[nodiscard]] std::optional<std::uint64_t> packedSize() const { return m_packed->size(); }

private:
  class Unpacker;
  class Gzip;
  class Zstd;

  void choose();
  const std::optional<CaptureFault>& refill();
  Expected<std::size_t, CaptureFault> readPlain(std::span<std::byte> out);
  Expected<std::size_t, CaptureFault> readPacked(std::span<std::byte> out);

  std::unique_ptr<ByteSource> m_packed;
  std::vector<std::byte> m_buffer;
  /// What of the buffer waits to be given or unpacked.
  std::span<const std::byte> m_waiting;
  std::unique_ptr<Unpacker> m_unpacker;
  std::uint64_t m_packedBytes = 0;
  /// Of the inner source; it is given once everything before it is.
  std::optional<CaptureFault> m_fault;
  bool m_isChosen = false;
  bool m_isAtEnd = false;
};

}  // namespace tcpscope
