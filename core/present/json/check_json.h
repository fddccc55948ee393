// One row of a check-up as it stands in documents.
#pragma once

#include "core/host/host_checkup.h"
#include "core/present/json/json_values.h"

namespace tcpscope::json {

Json check(const CheckRow& row);

}  // namespace tcpscope::json
