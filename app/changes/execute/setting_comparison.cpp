#include "app/changes/execute/setting_comparison.h"

#include <cerrno>

#include "app/changes/execute/detached_process.h"

namespace tcpscope {

Expected<SettingComparison, ChangeError> SettingComparison::begin(SysctlChanger changes, std::uint32_t id) {
  const std::filesystem::path& journal = changes.folders().journal;
  auto lock = ChangeJournal::lockComparison(journal, LockWait::never);
  if (!lock && lock.error().errorNumber == ENOENT) {
    // Without a journal there is no change.
    return tl::unexpected(ChangeError{ChangeErrorKind::noSuchChange, 0, UntrustedText(std::to_string(id))});
  }
  if (!lock) return tl::unexpected(lock.error());
  if (auto changed = changes.choose(id, SettingVersion::changed); !changed) return tl::unexpected(changed.error());
  const int number = startDetached([&] {
    // Free as soon as this process has ended.
    const auto freed = ChangeJournal::lockComparison(journal, LockWait::untilFree).map([](OwnedDescriptor) {});
    if (freed) changes.settle();
  });
  if (number != 0) return tl::unexpected(ChangeError{ChangeErrorKind::timerFailed, number});
  return SettingComparison(std::move(changes), id, std::move(*lock));
}

}  // namespace tcpscope
