// Frames into a file: segments of half a second, each compressed on its own and written at once, behind a header that
// makes the file its own index (segment_header.h). What is older than a second can be read while the file grows, and
// after this program was killed at any instant.
//
// A medium that fails (ENOSPC, EIO, EDQUOT) ends the recording: the file ends with its last whole segment. With limits
// the recording is a ring of files (recording_pieces.h).
#pragma once

#include <functional>
#include <memory>

#include "collectors/system/new_file.h"
#include "collectors/trace/frame_sink.h"
#include "collectors/trace/recording_pieces.h"
#include "collectors/trace/segment_header.h"
#include "collectors/trace/stream_state.h"
#include "core/base/expected.h"
#include "core/base/system_error.h"
#include "core/base/untrusted_text.h"

struct ZSTD_CCtx_s;

namespace tcpscope {

/// As write(2), which it is unless something else is wanted.
using FileWrite = std::function<ssize_t(int, const void*, std::size_t)>;

struct RecordingSettings {
  /// Decides when what waits must go.
  std::function<Moment()> now;
  RecordingLimits limits{};
  UntrustedText note{};
  /// The medium is asked to have what was written every so often: some say only then that they failed. Absent for
  /// never.
  std::optional<Nanoseconds> syncEvery{};
  FileWrite write{};
};

class RecordingOutput final : public FrameSink {
public:
  /// Replaces an existing file, and the pieces of its recording, once the first frames are written. Fails as
  /// NewFile::create().
  static Expected<std::unique_ptr<RecordingOutput>, SystemError> create(const std::filesystem::path& path,
                                                                        RecordingSettings settings);
  ~RecordingOutput() override;

  bool flush() override;
  bool settle() override;
  /// Writes everything and ends the file. False as flush().
  bool finish();
  /// Of all existing files.
  [[nodiscard]] std::uint64_t bytesInAll() const { return m_pieces.olderBytes() + m_written; }

private:
  struct FreeContext {
    void operator()(ZSTD_CCtx_s* context) const;
  };

  RecordingOutput(NewFile file, std::filesystem::path path, RecordingSettings settings);
  void beginPiece(std::vector<std::byte>& out, std::uint32_t piece) const;
  bool writeSegment();
  bool writePacked(std::span<const std::byte> plain, const SegmentHeader& header);
  bool write(std::span<const std::byte> bytes);
  void takeName();
  void sync(Moment now);
  void rotate(Moment now);
  [[nodiscard]] bool isKeyDue(Moment begin) const;

  std::filesystem::path m_path;
  /// Takes its name with the first segment: under that it is whole from the first instant.
  NewFile m_file;
  OwnedDescriptor m_descriptor;
  RecordingSettings m_settings;
  RecordingPieces m_pieces;
  std::unique_ptr<ZSTD_CCtx_s, FreeContext> m_context;
  StreamState m_state;
  std::vector<std::byte> m_packed;
  /// When the first of what waits came.
  std::optional<Moment> m_waitingSince;
  std::uint64_t m_recording = 0;
  std::uint32_t m_piece = 0;
  Moment m_pieceBegin;
  /// Bytes of the file in which whole segments lie.
  std::uint64_t m_written = 0;
  Moment m_keyAt;
  std::uint64_t m_keyEnd = 0;
  std::uint64_t m_keyBytes = 0;
  Moment m_syncedAt;
  bool m_isFinished = false;
};

}  // namespace tcpscope
