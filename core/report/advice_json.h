// The advice for a side, as the documents have it.
#pragma once

#include "core/advice/advice.h"
#include "core/report/json_values.h"

namespace tcpscope::json {

Json remedy(const Remedy& remedy);
/// Adds "advice", and "why_no_advice" where it is empty, to a side's object.
void addAdvice(Json& side, const SideAdvice& advice);

}  // namespace tcpscope::json
