// Compiles the part of a connection filter that the kernel can evaluate (ports, hosts, and, or, not) into the bytecode
// of its socket diagnosis, so that a filtered dump costs little. States go into the request's mask instead
// (ConnectionFilter::stateMask).
//
// The result may let through more than the filter, never less: a condition that the kernel does not know counts as
// true, in negation too. The evaluator decides in the end.
#pragma once

#include <cstddef>
#include <vector>

#include "core/filter/connection_filter.h"

namespace tcpscope {

/// Empty where the kernel can decide nothing, or where the code would not fit into a request; then it sends everything.
/// `root` may be null.
std::vector<std::byte> compileFilter(const FilterPointer& root);

}  // namespace tcpscope
