// An overview of a recording, to seek in it: when it ends, and which settings changed during it.
#pragma once

#include <stop_token>

#include "app/session/recording_cursor.h"

namespace tcpscope {

struct RecordingSurvey {
  Moment end;
  /// In order of time; the first of them where there are very many.
  std::vector<ChangeMark> marks;
};

/// Reads on to the end; what was found until then where a stop comes first.
RecordingSurvey survey(RecordingCursor& cursor, const std::stop_token& stop);
/// Of recordings that were made at the same time.
RecordingSurvey together(RecordingSurvey one, const RecordingSurvey& other);

}  // namespace tcpscope
