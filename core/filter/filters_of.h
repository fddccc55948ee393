// Filters that let a given connection through, to be applied or copied.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/diagnosis/limits/limit.h"
#include "core/model/endpoint.h"
#include "core/model/owner.h"

namespace tcpscope {

/// "src 192.0.2.1:40000 and dst 198.51.100.2:443", for `ss` as well: this connection alone.
std::string ssFilter(const Endpoint& local, const Endpoint& remote);

struct OfferedFilter {
  /// What the connections have in common, as an item of a menu.
  std::string_view title;
  std::string filter;
};

/// `owner` may be null. A property that is not known, or that no filter can name, is left out.
std::vector<OfferedFilter> filtersOf(const Endpoint& local, const Endpoint& remote, const Owner* owner, Limit limit);

}  // namespace tcpscope
