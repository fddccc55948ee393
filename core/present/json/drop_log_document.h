// The JSON document `tcpscope.drops`: what a router's own record of its drops shows of each of its links.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/wire/loss/drop_log.h"
#include "core/wire/loss/loss_summary.h"

namespace tcpscope {

/// One document with a final newline. `losses`: one a link of the log, in its order.
std::string toJson(const DropLog& log, std::span<const LossSummary> losses, const UntrustedText& file);

/// The JSON Schema, as installed and tested.
std::string_view dropsSchema();

}  // namespace tcpscope
