// The packets of a capture, decoded, for the benches. A file that cannot be read ends the program.
#pragma once

#include <filesystem>
#include <memory>

#include "collectors/pcap/capture_reader.h"
#include "collectors/pcap/packet_decoder.h"
#include "tests/bench/measurement.h"

namespace tcpscope::bench {

inline std::unique_ptr<CaptureReader> openCapture(const std::filesystem::path& file) {
  auto source = openFile(file);
  if (!source) giveUp("the capture cannot be opened");
  auto reader = CaptureReader::open(std::move(*source));
  if (!reader) giveUp("the capture cannot be read");
  return std::move(*reader);
}

template <class Take>
void readSegments(const std::filesystem::path& file, Take take) {
  const auto reader = openCapture(file);
  PacketDecoder decoder;
  PacketSample packet;
  for (CaptureItem item = reader->next(); item; item = reader->next()) {
    if (item.frame != nullptr && !decoder.decode(packet, *item.frame)) take(packet);
  }
}

}  // namespace tcpscope::bench
