// Changes of a host as text.
#pragma once

#include <optional>
#include <vector>

#include "app/cli/text_output.h"
#include "core/base/sample_comparison.h"
#include "core/changes/change_report.h"
#include "core/host/other_tuners.h"

namespace tcpscope {

void appendPreview(TextBuffer& out, const std::vector<SettingPreview>& rows, const OtherTuners& tuners);
void appendApplied(TextBuffer& out, const ChangeRecord& record, const std::optional<double>& revertAfterSeconds);
void appendConfirmed(TextBuffer& out, const ChangeRecord& record);
void appendReverted(TextBuffer& out, const RevertedChange& reverted);
void appendChanges(TextBuffer& out, const std::vector<ChangeRecord>& records);

void appendComparison(TextBuffer& out, std::uint32_t change, const SampleComparison& comparison, SampleKind kind);

}  // namespace tcpscope
