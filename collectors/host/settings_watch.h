// Looks at a place's settings again and again, and tells which of them changed, whoever changed them.
#pragma once

#include <functional>

#include "collectors/trace/trace_values.h"

namespace tcpscope {

class SettingsWatch {
public:
  /// `known` are the settings so far, `read` gets those of now, in any order.
  SettingsWatch(HostFacts known, std::function<HostFacts()> read)
      : m_facts(std::move(known)), m_read(std::move(read)) {}

  /// A mark a setting that is another one than at the last look. One that cannot be read is taken to be as it was.
  std::vector<ChangeMark> look(Moment now);
  /// As of the last look.
  [[nodiscard]] const HostFacts& facts() const { return m_facts; }

private:
  HostFacts m_facts;
  std::function<HostFacts()> m_read;
};

}  // namespace tcpscope
