// The agent's loop in one object: a collector of this place's sockets whose batches go out as frames, with the owners
// between dumps. `runAgent` is this until the requests end; a recording is this for a while into a file.
#pragma once

#include <memory>
#include <stop_token>

#include "app/remote/bounded_answers.h"
#include "app/session/local_place.h"
#include "collectors/trace/frame_sink.h"
#include "collectors/trace/trace_writer.h"

namespace tcpscope {

class Agent {
public:
  /// Writes the hello and the facts about the host at once. The sink is the caller's and outlives this.
  static Expected<std::unique_ptr<Agent>, SystemError> open(const LocalPlace& place, FrameSink& sink,
                                                            bool resolveOwners);

  /// Until the stop is requested, which the source of requests does too. `afterBatch` is called when frames were
  /// appended and written as far as they went. Fails where the system has no descriptor left.
  Expected<void, SystemError> run(const std::stop_token& stop, RequestSource& requests,
                                  const std::function<void()>& afterBatch);
  /// Whether a socket is in focus now: whoever serves the requests says it.
  void setFocus(bool hasFocus) { m_hasFocus = hasFocus; }

private:
  Agent(std::unique_ptr<Collector> collector, FrameSink& sink, ProcessAnswers answers);
  void greet(const LocalPlace& place, bool resolvesOwners);
  bool take(const ObservationBatch& batch);
  void writeAnswers();

  std::unique_ptr<Collector> m_collector;
  FrameSink& m_sink;
  TraceWriter m_writer;
  BoundedAnswers m_answers;
  bool m_hasFocus = false;
};

}  // namespace tcpscope
