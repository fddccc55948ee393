// The check-up of a host in words.
#pragma once

#include <string>
#include <string_view>

#include "core/host/host_checkup.h"

namespace tcpscope {

/// "Physical", the heading of its checks.
std::string_view title(CheckLayer layer);
/// "Cable and its errors"
std::string_view title(CheckId id);
/// What was found: "12 now, 4711 since boot"; plain text, in which names are escaped already.
std::string finding(const CheckRow& row);
/// The hops of a path, a line each below a heading; of a row that has some.
std::string hopList(const CheckRow& row);
/// What it means and what to do; empty where the check is passed.
std::string_view advice(const CheckRow& row);

}  // namespace tcpscope
