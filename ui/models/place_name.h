// What a place is called in the list. Hosts name themselves: their text is shown without control characters.
#pragma once

#include <QString>
#include <vector>

#include "core/session/session_snapshot.h"

namespace tcpscope {

/// The host, with its network namespace where several places are of one host and it is another than this process's, and
/// whether it is lost; an en dash for a
/// place that is not known.
QString placeName(PlaceId id, const std::vector<Place>& places);

/// Host, network namespace, kernel, and that it is lost, one a line.
QString placeDescription(PlaceId id, const std::vector<Place>& places);

}  // namespace tcpscope
