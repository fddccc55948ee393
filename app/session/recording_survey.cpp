#include "app/session/recording_survey.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// More than one can tell apart on a slider; a host that never stops changing its settings costs no memory.
constexpr std::size_t kMostSurveyMarks = 256;

void sortAndBound(std::vector<ChangeMark>& marks) {
  std::stable_sort(marks.begin(), marks.end(),
                   [](const ChangeMark& one, const ChangeMark& other) { return one.time < other.time; });
  if (marks.size() > kMostSurveyMarks) marks.resize(kMostSurveyMarks);
}

}  // namespace

RecordingSurvey survey(RecordingCourse& course, const std::stop_token& stop) {
  RecordingSurvey found;
  while (!stop.stop_requested() && course.next()) {
    for (ChangeMark& mark : course.take().changeMarks) {
      if (found.marks.size() < kMostSurveyMarks) found.marks.push_back(std::move(mark));
    }
  }
  found.end = course.upTo();
  sortAndBound(found.marks);
  return found;
}

RecordingSurvey together(RecordingSurvey one, const RecordingSurvey& other) {
  one.end = std::max(one.end, other.end);
  one.marks.insert(one.marks.end(), other.marks.begin(), other.marks.end());
  sortAndBound(one.marks);
  return one;
}

}  // namespace tcpscope
