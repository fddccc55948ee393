// Changes of a host in words: refusals, errors, the results of a preview and of a revert, and why a setting should stay
// as it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/changes/change_error.h"
#include "core/changes/change_report.h"
#include "core/changes/obsolete_setting.h"

namespace tcpscope {

/// "needs three numbers"; behind the key.
std::string_view sentence(SettingRefusal refusal);
/// What happened, why, what to do next. Of an error about another host they are whole sentences, and the manual command
/// follows those of sudo; others stand behind the name of a program.
std::string sentence(const ChangeError& error);
/// "now 4096 131072 6291456, would be …".
std::string sentence(const SettingPreview& preview);
/// What else there is to know before: why it should not be set so, where it is set now, what would come after it.
std::vector<std::string> notes(const SettingPreview& preview);
std::string sentence(const RestoredSetting& restored);
/// "waits to be confirmed", "interrupted".
std::string_view title(ChangeState state);

/// "It lets ports be used again sooner and makes no transfer faster: …"
std::string_view sentence(ObsoleteReason reason);

}  // namespace tcpscope
