// Any bytes as records of a path's log: what is taken for an event is the same when written and read again.
#include <cstdint>

#include "app/lab/path/path_log_file.h"
#include "core/base/invariant.h"

using namespace tcpscope::lab;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  for (std::size_t at = 0; at + kPathRecordBytes <= size; at += kPathRecordBytes) {
    const auto event = decodePathEvent(std::span<const std::uint8_t, kPathRecordBytes>(bytes + at, kPathRecordBytes));
    if (!event) continue;
    const auto record = encodePathEvent(*event);
    const auto again = decodePathEvent(record);
    TCPSCOPE_INVARIANT(again && encodePathEvent(*again) == record);
    TCPSCOPE_INVARIANT(again->source == event->source && again->kind == event->kind && again->time == event->time);
  }
  return 0;
}
