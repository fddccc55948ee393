// The JSON document `tcpscope.changes`: what a change of this host would do, the changes that were made, what undoing
// one did.
#pragma once

#include <string>
#include <vector>

#include "core/base/moment.h"
#include "core/base/sample_comparison.h"
#include "core/changes/change_report.h"

namespace tcpscope {

/// One document with a final newline each.
std::string toJson(const std::vector<SettingPreview>& previews, WallTime time);
std::string toJson(const std::vector<ChangeRecord>& changes, WallTime time);
std::string toJson(const RevertedChange& reverted, WallTime time);
std::string toJson(std::uint32_t change, const SampleComparison& comparison, SampleKind kind, WallTime time);

/// The JSON Schema, as installed and tested.
std::string_view changesSchema();

}  // namespace tcpscope
