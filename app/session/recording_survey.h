// What a recording holds in all, for whoever wants to go somewhere in it: when it ends, and what was changed meanwhile.
#pragma once

#include <stop_token>

#include "app/session/recording_course.h"

namespace tcpscope {

struct RecordingSurvey {
  Moment end;
  /// In order of time; the first of them where there are very many.
  std::vector<ChangeMark> marks;
};

/// Reads on to the end; what was found until then where a stop comes first.
RecordingSurvey survey(RecordingCourse& course, const std::stop_token& stop);
/// Of recordings that were made at the same time.
RecordingSurvey together(RecordingSurvey one, const RecordingSurvey& other);

}  // namespace tcpscope
