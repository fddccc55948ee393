// The JSON document `tcpscope.changes`, a ChangeReport on the wire: its writer, and its reader beside it.
//
// The reader takes documents of older hosts, in which keys may be missing, and passes every string through
// forPlainText(). Sentences of the host stay in the report (SettingPreview::text).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/moment.h"
#include "core/base/sample_comparison.h"
#include "core/changes/change_report.h"

namespace tcpscope {

/// One document with a final newline. Not of socket options: see tune_document.h.
std::string toJson(const ChangeReport& report);
/// The result of `verify`.
std::string toJson(std::uint32_t change, const SampleComparison& comparison, SampleKind kind, WallTime time);

/// Nothing for what is not a document of this schema.
std::optional<ChangeReport> readChangeReport(std::string_view json);

/// The JSON Schema, as installed and tested.
std::string_view changesSchema();

}  // namespace tcpscope
