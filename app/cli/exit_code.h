// How a command ended, for scripts, and what it writes on standard error.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/system_error.h"
#include "core/model/collection_gap.h"

namespace tcpscope {

struct RecordingFacts;

enum class ExitCode : int {
  done = 0,
  /// What was requested does not exist.
  notThere = 1,
  wrongUsage = 2,
  missingRight = 3,
  badInput = 4,
  systemFailed = 5,
  refused = 6,
};

/// One line on standard error, escaped for a terminal: a message may name files, options and hosts.
ExitCode fail(ExitCode code, std::string_view message);
/// The sentence of the error, and the exit code that fits it.
ExitCode fail(const SystemError& error);
/// One line on standard error where the recording is cut or damaged.
void reportDamage(const std::string& file, const RecordingFacts& recording);
/// One line on standard error: of all network namespaces some are left out.
void reportMissingNamespaces();
/// One line on standard error where something got lost.
void reportGaps(const std::vector<CollectionGap>& gaps);

}  // namespace tcpscope
