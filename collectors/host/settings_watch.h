// Polls a place's settings and reports which of them changed, from whatever cause.
#pragma once

#include <functional>

#include "collectors/trace/trace_values.h"

namespace tcpscope {

class SettingsWatch {
public:
  /// `known` are the settings so far, `read` gets those of now, in any order.
  SettingsWatch(HostFacts known, std::function<HostFacts()> read)
      : m_facts(std::move(known)), m_read(std::move(read)) {}

  /// One mark for each setting that differs from the last poll. A setting that cannot be read counts as unchanged.
  std::vector<ChangeMark> poll(Moment now);
  /// As of the last poll.
  [[nodiscard]] const HostFacts& facts() const { return m_facts; }

private:
  HostFacts m_facts;
  std::function<HostFacts()> m_read;
};

}  // namespace tcpscope
