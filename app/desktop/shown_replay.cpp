#include "app/desktop/shown_replay.h"

#include "core/present/text/report_text.h"

namespace tcpscope {

void ShownReplay::play() {
  if (ReplaySession* session = replay()) session->play();
}

void ShownReplay::playBack() {
  if (ReplaySession* session = replay()) session->playBack();
}

void ShownReplay::pause() {
  if (ReplaySession* session = replay()) session->pause();
}

void ShownReplay::setSpeed(std::optional<double> ratio) {
  if (ReplaySession* session = replay()) session->setSpeed({ratio});
}

void ShownReplay::seek(Moment moment) {
  if (ReplaySession* session = replay()) session->seek(moment);
}

std::optional<ReplayState> ShownReplay::state() {
  const ReplaySession* session = replay();
  if (session == nullptr) return std::nullopt;
  const ReplayPosition position = session->position();
  ReplayState state;
  state.isPlaying = position.motion != ReplayMotion::stands;
  state.isBackwards = position.motion == ReplayMotion::backwards;
  state.isSeeking = position.isSeeking;
  state.speedRatio = position.speed.ratio;
  state.clock = session->clock();
  state.at = position.at;
  const auto survey = session->survey();
  if (!survey) return state;
  state.end = survey->end;
  for (const ChangeMark& mark : survey->marks) state.marks.push_back({mark.time, sentence(mark)});
  return state;
}

}  // namespace tcpscope
