#include "collectors/host/settings_watch.h"

#include <algorithm>

namespace tcpscope {

std::vector<ChangeMark> SettingsWatch::poll(Moment now) {
  std::vector<ChangeMark> changes;
  for (HostFact& fact : m_read()) {
    const auto known =
        std::find_if(m_facts.begin(), m_facts.end(), [&](const HostFact& one) { return one.key == fact.key; });
    // Not to be read before: whether it changed is not known.
    if (known == m_facts.end()) {
      m_facts.push_back(std::move(fact));
      continue;
    }
    if (known->value == fact.value) continue;
    changes.push_back({now, std::nullopt, fact.key, known->value, fact.value});
    known->value = std::move(fact.value);
  }
  return changes;
}

}  // namespace tcpscope
