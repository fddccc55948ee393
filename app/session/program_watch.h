// What programs wait for, by samples of the threads of each, and how busy the processors were meanwhile.
#pragma once

#include <deque>
#include <functional>
#include <map>

#include "core/host/process_reading.h"
#include "core/host/processor_load.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

class ProgramWatch {
public:
  using Read = std::function<Reported<ProcessReading>(std::uint32_t pid)>;
  using ReadProcessors = std::function<ProcessorTimes()>;

  /// Of this host.
  ProgramWatch();
  ProgramWatch(Read read, ReadProcessors readProcessors)
      : m_read(std::move(read)), m_readProcessors(std::move(readProcessors)) {}

  /// Begins with it, while there is room: it may be asked about later.
  void watch(std::int32_t pid);
  /// Of the program that holds this connection, since the connection was last asked about: each of several that one
  /// program holds gets all of it. Programs are sampled when they are asked about, the more threads the less often.
  /// Nothing of a program that was not watched yet, or that may not be read: the first question begins with it.
  std::optional<ProgramWaits> waitsOf(std::int32_t pid, ConnectionId connection, Moment now);
  void forget(ConnectionId connection) { m_handedOverUntil.erase(connection); }

private:
  struct Program {
    ProcessReading last;
    /// It has more threads than are followed: `last` is without them, so that it is left alone for a while.
    bool isTooLarge = false;
    std::deque<ProgramWaits> waits;
  };

  void begin(std::int32_t pid, ProcessReading reading);
  /// False where the program is no more.
  bool sample(Program& program);
  void sampleProcessors(Moment now);

  Read m_read;
  ReadProcessors m_readProcessors;
  std::map<std::int32_t, Program> m_programs;
  std::map<ConnectionId, Moment> m_handedOverUntil;
  ProcessorTimes m_processors;
  Moment m_processorsAt;
  /// Over the last second or so, up to m_processorsAt.
  std::optional<double> m_softirqRatio;
};

}  // namespace tcpscope
