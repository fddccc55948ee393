// What the command line answers, read: the documents `tcpscope.changes` and `tcpscope.tune`.
#pragma once

#include <string_view>

#include "core/changes/change_record.h"
#include "ui/feed/change_port.h"

namespace tcpscope {

struct ChangeAnswer {
  std::vector<HostChangeRow> rows;
  std::vector<std::string> notes;
  /// At least one row would become another one, and none is refused.
  bool canApply = false;
  /// Number of the change that was made; absent where there was nothing to make.
  std::optional<std::uint32_t> change;
  /// Of socket options: at least one was changed through tcpscope and can be undone.
  bool canUndo = false;
  /// Of what was undone: somebody else changed some of it since, so that it stays.
  bool leftSomeAlone = false;
};

/// A change as the journal of its place has it.
struct JournalledChange {
  std::uint32_t number = 0;
  ChangeState state = ChangeState::preparing;
  std::string bootId;
  /// Since it was made, by the clock of the place, in whole seconds.
  Milliseconds age{0};
  std::vector<ChangedSetting> settings;
};

/// Nothing where it is not the document that it should be. Texts come out without control characters.
std::optional<ChangeAnswer> readPreview(std::string_view json);
/// A change that was made, kept or undone.
std::optional<ChangeAnswer> readChanged(std::string_view json);
/// Socket options as they are, beside what is wanted of them.
std::optional<ChangeAnswer> readShown(std::string_view json, const std::vector<SettingChange>& wanted);
/// Socket options after they were changed or restored.
std::optional<ChangeAnswer> readTuned(std::string_view json);

/// All changes of a place, the oldest first. Texts come out as above.
std::optional<std::vector<JournalledChange>> readJournal(std::string_view json);

}  // namespace tcpscope
