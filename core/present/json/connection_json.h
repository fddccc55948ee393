// A place, a gap and a connection with its diagnosis, as every document has them.
#pragma once

#include "core/present/json/advice_json.h"
#include "core/present/json/json_values.h"

namespace tcpscope::json {

std::string placeText(PlaceId place);
void place(JsonWriter& out, const Place& place);
/// What a gap is, without its place.
void gapMembers(JsonWriter& out, const CollectionGap& gap);
void gap(JsonWriter& out, const CollectionGap& gap);
/// "id", "place", "local", "remote" and "state".
void socketMembers(JsonWriter& out, const SocketObservation& socket);
/// "options"; none where the kernel sent no TCP_INFO, and before the handshake has settled anything.
void negotiatedOptionsMember(JsonWriter& out, const SocketObservation& socket);
void connectionMembers(JsonWriter& out, const ConnectionDetail& detail, const ConnectionAdvice* advice);
void connection(JsonWriter& out, const ConnectionDetail& detail, const ConnectionAdvice* advice = nullptr);

}  // namespace tcpscope::json
