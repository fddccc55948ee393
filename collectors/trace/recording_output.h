// Frames into a file, compressed with zstd. What is older than half a second can be read from the file while it grows,
// and after this program was killed.
//
// A medium that fails (ENOSPC, EIO) ends the recording; what was written before stays readable.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "collectors/trace/frame_sink.h"
#include "core/base/expected.h"
#include "core/base/moment.h"
#include "core/base/system_error.h"

struct ZSTD_CCtx_s;

namespace tcpscope {

class RecordingOutput final : public FrameSink {
public:
  /// Replaces a file that is there. `now` decides when what waits must go.
  static Expected<std::unique_ptr<RecordingOutput>, SystemError> create(const std::filesystem::path& path,
                                                                        std::function<Moment()> now);
  ~RecordingOutput() override;

  bool flush() override;
  /// Writes everything and ends the file. False as flush().
  bool finish();
  [[nodiscard]] std::uint64_t bytesWritten() const { return m_written; }

private:
  struct FreeContext {
    void operator()(ZSTD_CCtx_s* context) const;
  };
  enum class Reach { whatIsFull, everything, end };

  RecordingOutput(int descriptor, std::function<Moment()> now);
  bool compress(Reach reach);
  bool write(const std::byte* from, std::size_t size);

  int m_descriptor;
  std::function<Moment()> m_now;
  std::unique_ptr<ZSTD_CCtx_s, FreeContext> m_context;
  std::vector<std::byte> m_block;
  Moment m_flushedAt;
  std::uint64_t m_written = 0;
  bool m_isFinished = false;
};

}  // namespace tcpscope
