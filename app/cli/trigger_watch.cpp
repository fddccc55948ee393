#include "app/cli/trigger_watch.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <utility>

#include "app/cli/connection_output.h"
#include "app/cli/polling.h"
#include "app/cli/text_output.h"
#include "app/cli/triggered_recording.h"
#include "core/base/escape.h"
#include "core/present/json/event_document.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

constexpr const char* kTriggerLine = "{:<27}  {:<20}  {:<45}  {:>12}  {:>12}  {:>9}  {:>7}  {}";

std::string verdictText(const ConnectionRow& row) {
  Verdict verdict;
  verdict.limit = row.limit;
  verdict.cause = row.cause;
  verdict.confidenceRatio = static_cast<double>(row.confidenceRatio);
  return brief(verdict, row.bulk);
}

void appendText(TextBuffer& out, const SessionSnapshot& snapshot, const ConnectionRow& row) {
  line(out, kTriggerLine, timeText(snapshot.clock.wallAt(snapshot.time)), processText(snapshot.owner(row)),
       fmt::format("{} -> {}", row.local.toString(), row.remote.toString()), rateText(row.sendRateBps),
       rateText(row.receiveRateBps),
       std::isnan(row.rttUs) ? std::string("-") : formatTime(static_cast<double>(row.rttUs) / 1e6),
       std::isnan(row.retransmittedRatio) ? std::string("-") : formatRatio(static_cast<double>(row.retransmittedRatio)),
       verdictText(row));
}

/// Both have to hold; each is checked alone first, so that an error names the text that it is in.
Expected<ConnectionFilter, ExitCode> conditionOf(const CommandOptions& options) {
  const auto chosen = parseFilter(options);
  if (!chosen) return Unexpected<ExitCode>(chosen.error());
  CommandOptions trigger = options;
  trigger.filterText = options.trigger;
  const auto condition = parseFilter(trigger);
  if (!condition) return Unexpected<ExitCode>(condition.error());
  if (condition->root() == nullptr) {
    return Unexpected<ExitCode>(fail(ExitCode::wrongUsage, "the trigger needs a condition, such as 'rtt > 200ms'"));
  }
  if (chosen->root() == nullptr) return *condition;
  trigger.filterText = fmt::format("( {} ) and ( {} )", options.filterText, options.trigger);
  return parseFilter(trigger);
}

/// As the options ask for it; null where they ask for none.
Expected<std::unique_ptr<TriggeredRecording>, ExitCode> recordingOf(const CommandOptions& options, const Poll& poll) {
  if (options.triggeredRecording.empty() || poll.here == nullptr) return nullptr;
  auto recording =
      TriggeredRecording::start(options.triggeredRecording, *poll.here, nanosecondsOf(options.recordBeforeSeconds),
                                nanosecondsOf(options.recordAfterSeconds));
  if (!recording && recording.error().errorNumber == EEXIST) {
    return Unexpected<ExitCode>(fail(ExitCode::wrongUsage, fmt::format("'{}' exists; name a new file for the recording",
                                                                       forTerminal(options.triggeredRecording))));
  }
  if (!recording) return Unexpected<ExitCode>(fail(recording.error()));
  return std::move(*recording);
}

/// Around the events of one poll: the file that they are in; nothing where none is recorded.
Expected<std::optional<std::string>, ExitCode> recordAround(TriggeredRecording* recording, bool hasEvents, Moment now) {
  if (recording == nullptr) return std::nullopt;
  std::optional<std::string> file;
  if (hasEvents) file = recording->noteEvent(now);
  if (const auto updated = recording->update(now); !updated) return Unexpected<ExitCode>(fail(updated.error()));
  return file;
}

}  // namespace

ExitCode watchTrigger(const CommandOptions& options) {
  const auto condition = conditionOf(options);
  if (!condition) return condition.error();
  if (!options.triggeredRecording.empty() && options.networkNamespace == kAllNamespaces) {
    return fail(ExitCode::wrongUsage, "--record takes one network namespace, and not all");
  }
  const bool isJson = options.form() == OutputForm::jsonStream;
  LocalSessionSettings settings = pollingSettings(options, *condition);
  settings.control.trigger = {1, *condition, nanosecondsOf(options.holdOffSeconds), true};
  return pollConnections(options, settings, [&](const NextPoll& next) {
    std::uint64_t namedUntil = 0;
    std::optional<Expected<std::unique_ptr<TriggeredRecording>, ExitCode>> recording;
    bool hasBegun = isJson;
    std::uint64_t polls = 0;
    while (const auto poll = next()) {
      const SessionSnapshot& snapshot = *poll->snapshot;
      if (!recording) recording = recordingOf(options, *poll);
      if (!*recording) return recording->error();
      const auto begun = std::find_if(snapshot.triggered.begin(), snapshot.triggered.end(),
                                      [&](const TriggeredConnection& one) { return one.number > namedUntil; });
      const auto file = recordAround((*recording)->get(), begun != snapshot.triggered.end(), snapshot.time);
      if (!file) return file.error();
      TextBuffer out;
      if (!std::exchange(hasBegun, true)) {
        line(out, kTriggerLine, "TIME", "PROCESS", "CONNECTION", "TX RATE", "RX RATE", "RTT", "RETRANS", "VERDICT");
      }
      for (auto one = begun; one != snapshot.triggered.end(); ++one) {
        namedUntil = one->number;
        const ConnectionRow row = snapshot.row(one->slot);
        if (isJson) {
          append(out, triggeredJsonLine(row, snapshot.owner(row), options.trigger, *file,
                                        snapshot.clock.wallAt(snapshot.time)));
        } else {
          appendText(out, snapshot, row);
        }
      }
      if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
      if (options.count && ++polls >= *options.count) break;
    }
    return ExitCode::done;
  });
}

}  // namespace tcpscope
