// One file of a recording: the bytes of its frames, whatever way they lie in it, and where its segments are.
//
// Reads every version: frames as they are, one frame of zstd over all, segments. Behind damage it goes on with the next
// segment, and says that something is missing.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "collectors/system/owned_descriptor.h"
#include "collectors/trace/segment_header.h"
#include "collectors/trace/trace_values.h"
#include "core/base/expected.h"
#include "core/base/system_error.h"

struct ZSTD_DCtx_s;

namespace tcpscope {

struct SegmentEntry {
  std::uint64_t offset = 0;
  SegmentHeader header;
};

class RecordingFile {
public:
  /// Fails with `openRecording`, or `readRecording` where it is no recording.
  static Expected<std::unique_ptr<RecordingFile>, SystemError> open(const std::filesystem::path& path);
  /// As open(), and with EINVAL where it is no regular file: never waits for a FIFO's writer. For files that the user
  /// did not name, such as a ring's pieces.
  static Expected<std::unique_ptr<RecordingFile>, SystemError> openRegular(const std::filesystem::path& path);
  ~RecordingFile();

  /// The next bytes; none at the end, and where something is missing.
  std::span<const std::byte> next();
  /// Bytes are missing between those before and those that next() gives from now on. Asked after it gave none.
  bool takeMissing() { return std::exchange(m_isMissing, false); }
  /// The end came in the middle of what was packed, or what follows cannot be unpacked.
  [[nodiscard]] bool isCut() const { return m_isBroken || (m_isCompressed && m_isInside); }
  /// Its size; nothing where that is not known, as of a pipe.
  [[nodiscard]] std::optional<std::uint64_t> bytes() const;
  /// Where the bytes begin that next() gives next; nothing in the middle of what is packed.
  [[nodiscard]] std::optional<std::uint64_t> boundary() const;
  /// next() goes on there: where a segment begins, or at a boundary.
  void goTo(std::uint64_t offset);
  /// Goes from header to header; files of older versions have none. Skips damage. Call it before next().
  [[nodiscard]] std::vector<SegmentEntry> segments();

private:
  static Expected<std::unique_ptr<RecordingFile>, SystemError> opened(const std::filesystem::path& path,
                                                                      OwnedDescriptor descriptor);
  struct FreeContext {
    void operator()(ZSTD_DCtx_s* context) const;
  };

  explicit RecordingFile(OwnedDescriptor descriptor);
  void readRaw();
  std::span<const std::byte> unpack();
  void resynchronise();
  [[nodiscard]] std::optional<SegmentEntry> findSegment(std::uint64_t from);
  std::size_t readAt(std::uint64_t offset, std::span<std::byte> into);

  OwnedDescriptor m_descriptor;
  std::vector<std::byte> m_raw;
  std::size_t m_rawSize = 0;
  std::size_t m_rawAt = 0;
  /// Of m_raw's first byte in the file.
  std::uint64_t m_rawOffset = 0;
  std::vector<std::byte> m_plain;
  std::unique_ptr<ZSTD_DCtx_s, FreeContext> m_context;
  /// Where the frame of zstd that is being unpacked begins.
  std::uint64_t m_packedFrom = 0;
  bool m_isCompressed = false;
  bool m_isRecording = false;
  bool m_isInside = false;
  bool m_isBroken = false;
  bool m_isMissing = false;
  int m_errorNumber = 0;
};

/// What the recording in this file is about; nothing where it does not say or there is none.
std::optional<TraceAbout> aboutRecording(const std::filesystem::path& path);

}  // namespace tcpscope
