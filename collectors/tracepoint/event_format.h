// The text in which the kernel describes the records of a tracepoint: the file `format` beside the event (tracefs).
//
// Offsets differ between kernels: nothing is assumed, everything is read from this text. A field whose size differs
// from the expected one, or that lies beyond any plausible record, counts as absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tcpscope {

/// The number by which perf_event_open(2) names the event.
std::optional<std::uint64_t> findEventId(std::string_view format);

/// The field's offset into the record, in bytes.
std::optional<std::size_t> findEventField(std::string_view format, std::string_view name, std::size_t size);

}  // namespace tcpscope
