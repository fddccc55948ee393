// Sets a change and its originals in turn, to compare the two. Whatever ends this process meanwhile, the change is set
// again: a detached process waits for the end of the comparison's lock.
//
// For a process with a single thread.
#pragma once

#include "app/changes/execute/sysctl_changer.h"

namespace tcpscope {

class SettingComparison {
public:
  /// Sets the change. `comparisonRunning` if another process compares.
  static Expected<SettingComparison, ChangeError> begin(SysctlChanger changes, std::uint32_t id);

  Expected<void, ChangeError> choose(SettingVersion version) { return m_changes.choose(m_id, version); }

private:
  SettingComparison(SysctlChanger changes, std::uint32_t id, OwnedDescriptor lock)
      : m_changes(std::move(changes)), m_id(id), m_lock(std::move(lock)) {}

  SysctlChanger m_changes;
  std::uint32_t m_id;
  OwnedDescriptor m_lock;
};

}  // namespace tcpscope
