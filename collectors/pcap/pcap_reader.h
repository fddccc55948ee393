// Captures in the classic pcap format: both byte orders, micro- and nanoseconds, Kuznetzov's longer record headers.
//
// Read here and not by libpcap, which copies each packet twice through stdio: that alone costs what a whole analysis
// may (tests/bench). An impossible length ends the reading, since the start of the next record is unknown.
#pragma once

#include <memory>

#include "collectors/pcap/capture_format_reader.h"
#include "collectors/pcap/input_window.h"
#include "core/base/expected.h"

namespace tcpscope {

class PcapReader final : public CaptureFormatReader {
public:
  /// The window must stand on the file's header, and live longer. Fails with `cut`, `unsupportedVersion`, or as the
  /// source does.
  static Expected<std::unique_ptr<CaptureFormatReader>, CaptureFault> open(InputWindow& window);

  CaptureItem next() override;
  [[nodiscard]] bool mayJump() const override { return true; }
  bool jumpTo(PacketPlace place) override;

private:
  explicit PcapReader(InputWindow& window) : m_window(window) {}
  CaptureItem endOfSource(std::size_t bytesThere);

  InputWindow& m_window;
  std::size_t m_recordHeaderBytes = 16;
  std::int64_t m_fractionNanoseconds = 1'000;
  std::uint16_t m_minorVersion = 4;
  bool m_isSwapped = false;
  bool m_isOver = false;
  std::uint64_t m_nextNumber = 0;
};

}  // namespace tcpscope
