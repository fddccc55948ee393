#include "app/cli/trigger_watch.h"

#include <cmath>
#include <utility>

#include "app/cli/connection_output.h"
#include "app/cli/polling.h"
#include "app/cli/text_output.h"
#include "core/present/json/event_document.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"
#include "core/session/condition_watch.h"

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

}  // namespace

ExitCode watchTrigger(const CommandOptions& options) {
  const auto condition = conditionOf(options);
  if (!condition) return condition.error();
  const bool isJson = options.form() == OutputForm::jsonStream;
  return pollConnections(options, pollingSettings(options, *condition), [&](const NextPoll& next) {
    ConditionWatch watch(nanosecondsOf(options.holdOffSeconds));
    bool hasBegun = isJson;
    while (const auto poll = next()) {
      const SessionSnapshot& snapshot = *poll->snapshot;
      TextBuffer out;
      if (!std::exchange(hasBegun, true)) {
        line(out, kTriggerLine, "TIME", "PROCESS", "CONNECTION", "TX RATE", "RX RATE", "RTT", "RETRANS", "VERDICT");
      }
      for (const ConnectionRow& row : watch.begun(snapshot)) {
        if (isJson) {
          append(out,
                 triggeredJsonLine(row, snapshot.owner(row), options.trigger, snapshot.clock.wallAt(snapshot.time)));
        } else {
          appendText(out, snapshot, row);
        }
      }
      if (const ExitCode code = writeOut({out.data(), out.size()}); code != ExitCode::done) return code;
    }
    return ExitCode::done;
  });
}

}  // namespace tcpscope
