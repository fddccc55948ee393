// What programs wait for, by two readings of the threads of each, and what the processors did meanwhile.
#pragma once

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
  /// Since it was last asked, or watched; a time too short to say anything goes on, the longer the more threads are to
  /// be read. Nothing of a program that was not watched yet, or that may not be read: the first question begins with
  /// it.
  std::optional<ProgramWaits> waitsOf(std::int32_t pid, Moment now);

private:
  struct Sample {
    ProcessReading program;
    ProcessorTimes processors;
  };

  [[nodiscard]] std::optional<Sample> sampleOf(std::int32_t pid) const;
  void keep(std::int32_t pid, Sample sample);

  Read m_read;
  ReadProcessors m_readProcessors;
  std::map<std::int32_t, Sample> m_samples;
};

}  // namespace tcpscope
