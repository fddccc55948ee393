// A place, a gap and a connection with its diagnosis, as every document has them.
#pragma once

#include "core/present/json/advice_json.h"
#include "core/present/json/json_values.h"

namespace tcpscope::json {

std::string placeText(PlaceId place);
Json place(const Place& place);
Json gap(const CollectionGap& gap);
/// Absent where the kernel sent no TCP_INFO, and before the handshake has settled anything.
std::optional<Json> negotiatedOptions(const SocketObservation& socket);
Json connection(const ConnectionDetail& detail, const ConnectionAdvice* advice = nullptr);

/// One entry an item, as `convert` makes it.
template <class Items, class Convert>
Json arrayOf(const Items& items, Convert convert) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(convert(item));
  return array;
}

}  // namespace tcpscope::json
