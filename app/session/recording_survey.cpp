#include "app/session/recording_survey.h"

#include <algorithm>

namespace tcpscope {

namespace {

/// More than a slider can show separately; a host that keeps changing its settings must not fill the memory.
constexpr std::size_t kMostSurveyMarks = 256;

void sortAndBound(std::vector<ChangeMark>& marks) {
  std::stable_sort(marks.begin(), marks.end(),
                   [](const ChangeMark& one, const ChangeMark& other) { return one.time < other.time; });
  if (marks.size() > kMostSurveyMarks) marks.resize(kMostSurveyMarks);
}

}  // namespace

RecordingSurvey survey(RecordingCursor& cursor, const std::stop_token& stop) {
  RecordingSurvey found;
  while (!stop.stop_requested() && cursor.next()) {
    for (ChangeMark& mark : cursor.take().changeMarks) {
      if (found.marks.size() < kMostSurveyMarks) found.marks.push_back(std::move(mark));
    }
  }
  found.end = cursor.upTo();
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
