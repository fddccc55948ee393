// What programs wait for, by two readings of the threads of each.
#pragma once

#include <functional>
#include <map>

#include "core/host/process_reading.h"
#include "core/model/socket_observation.h"

namespace tcpscope {

class ProgramWatch {
public:
  using Read = std::function<Reported<ProcessReading>(std::uint32_t pid)>;

  /// Of this host.
  ProgramWatch();
  explicit ProgramWatch(Read read) : m_read(std::move(read)) {}

  /// Begins with it, while there is room: it may be asked about later.
  void watch(std::int32_t pid);
  /// Since it was last asked, or watched; a time too short to say anything goes on. Nothing of a program that was not
  /// watched yet, or that may not be read: the first question begins with it.
  std::optional<ProgramWaits> waitsOf(std::int32_t pid);

private:
  void keep(std::int32_t pid, const ProcessReading& reading);

  Read m_read;
  std::map<std::int32_t, ProcessReading> m_readings;
};

}  // namespace tcpscope
