// One row of a check-up as it stands in documents.
#pragma once

#include "core/host/host_checkup.h"
#include "core/present/json/json_writer.h"

namespace tcpscope::json {

void check(JsonWriter& out, const CheckRow& row);

}  // namespace tcpscope::json
