// Changes of a host and of a connection's socket options as text.
#pragma once

#include <optional>
#include <vector>

#include "app/cli/text_output.h"
#include "core/base/sample_comparison.h"
#include "core/changes/change_report.h"
#include "core/changes/tune_report.h"
#include "core/host/other_tuners.h"
#include "core/model/socket_observation.h"
#include "core/session/change_proof.h"

namespace tcpscope {

void appendPreview(TextBuffer& out, const std::vector<SettingPreview>& rows, const OtherTuners& tuners);
void appendApplied(TextBuffer& out, const ChangeRecord& record, const std::optional<double>& revertAfterSeconds);
void appendConfirmed(TextBuffer& out, const ChangeRecord& record);
void appendReverted(TextBuffer& out, const RevertedChange& reverted);
void appendChanges(TextBuffer& out, const std::vector<ChangeRecord>& records);

void appendComparison(TextBuffer& out, std::uint32_t change, const SampleComparison& comparison, SampleKind kind);

class Style;

void appendTuned(TextBuffer& out, const SocketObservation& socket, const Owner* owner, const TuneReport& report,
                 std::string_view command, const Style& style);

/// The measured gain.
void appendProof(TextBuffer& out, const ChangeProof& proof, const Style& style);

}  // namespace tcpscope
