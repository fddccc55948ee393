// The text that `tune` prints.
#pragma once

#include "app/cli/text_output.h"
#include "core/changes/tune_report.h"
#include "core/model/socket_observation.h"
#include "core/session/change_proof.h"

namespace tcpscope {

class Style;

void appendTuned(TextBuffer& out, const SocketObservation& socket, const Owner* owner, const TuneReport& report,
                 const Style& style);

/// The measured gain.
void appendProof(TextBuffer& out, const ChangeProof& proof, const Style& style);

}  // namespace tcpscope
