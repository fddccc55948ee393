// What a person reads of a capture: of a file, why it cannot be read, where it is damaged, what in it is no TCP; of a
// live capture, how it stands or why it cannot run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/model/live_capture_state.h"
#include "core/session/capture/capture_gap.h"

namespace tcpscope {

/// "Sun snoop capture", "gzip archive", "JSON".
std::string_view title(FileFormat format);

/// Why the file gives no packet at all, and what to do: "'x' is an xz archive, no capture; unpack it first: xz -dk x".
std::string refusal(const CaptureFault& fault, const UntrustedText& name);

/// "12 packets".
std::string countOfPackets(std::uint64_t count);

/// "12 packets were not TCP", "The file ends in the middle of a packet at byte 4711; all before it is used.
/// It is still being written, or was copied incompletely."
std::string sentence(const CaptureGap& gap);
/// Of those that lower confidence, one after the other; empty where there is none.
std::string lossSentences(const std::vector<CaptureGap>& gaps);

std::string sentence(const LiveCaptureError& error);

/// "1200 packets captured, none dropped. …": what a reader of the packets has to know of the capture; empty before its
/// first.
std::string sentence(const LiveCaptureState& state);
/// "Times of packets match the kernel's clock to within 28 ns.": how far packets and samples may be apart in time.
std::string clockSentence(const LiveCaptureState& state);
/// The result of writing the packets to a file.
std::string sentence(const SavedCapture& saved);

}  // namespace tcpscope
