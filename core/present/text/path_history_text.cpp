#include "core/present/text/path_history_text.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <system_error>
#include <vector>

#include "core/base/escape.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

std::string_view bufferName(Side side) {
  return side == Side::sending ? "Send buffer" : "Receive buffer";
}

std::string_view whyNotSentence(const BufferAdvice& advice) {
  if (*advice.whyNot == WhyNoBuffer::noRtt) return "unknown: no RTT measured yet";
  return advice.side == Side::sending ? "unknown: no long enough transfer to this network seen yet"
                                      : "unknown: no long enough transfer from this network seen yet";
}

std::string_view basisSentence(BufferBasis basis) {
  switch (basis) {
    case BufferBasis::ofPath:
      return "twice the bandwidth-delay product, as a start: the network limited the fastest transfer";
    case BufferBasis::atLeast:
      return "at least, as a start: it is unknown whether the network limited the fastest transfer; the path may carry "
             "more";
    case BufferBasis::ofBuffer:
      break;
  }
  return "at least: a window or a buffer limited the fastest transfer, so this is what was used; the path may carry "
         "more";
}

std::string hereText(const BufferAdvice& advice) {
  const std::string_view setting = bufferSetting(advice.side);
  if (!advice.largestHere) return fmt::format("The maximum of {} on this host is unknown.", setting);
  const std::string largest = formatBytes(static_cast<double>(advice.largestHere->value()));
  if (*advice.fitsHere()) {
    return fmt::format("Autotuning goes up to {} on this host ({}), which is enough: do not set the buffer.", largest,
                       setting);
  }
  return fmt::format("Autotuning goes up to {} on this host ({}), which is too small: increase its third value to {}.",
                     largest, setting, advice.wanted.value());
}

std::string reasonOf(const PathHistoryError& error) {
  return std::generic_category().message(error.number);
}

}  // namespace

std::string rateText(const std::optional<PathRate>& rate) {
  if (!rate) return "-";
  return (rate->isOfPath() ? "" : "at least ") + formatRate(rate->rate);
}

std::string rttText(const PathEntry& entry) {
  return entry.rtt ? formatTime(toSeconds(entry.rtt->smallest)) : "-";
}

std::string lossText(const PathEntry& entry) {
  const auto ratio = entry.lossRatio();
  if (!ratio) return "-";
  if (*ratio == 0.0) return fmt::format("none in {} segments", formatCount(entry.segments));
  return fmt::format("{:.2g} % of {} segments", *ratio * 100, formatCount(entry.segments));
}

std::string lossSentence(const PathEntry& entry) {
  if (entry.segments == 0) return "unknown: nothing sent this way yet";
  const std::string seen = formatCount(entry.segments) + " segments sent";
  if (entry.retransmitted == 0) {
    const bool isEnough = entry.lossRatio().has_value();
    return fmt::format("none in {}{}", seen, isEnough ? "" : ", too few for a ratio");
  }
  const std::string again = formatCount(entry.retransmitted);
  if (entry.lossEvents == entry.retransmitted) return fmt::format("{} in {}", again, seen);
  return fmt::format("between {} (loss events) and {} (retransmissions) in {}", formatCount(entry.lossEvents), again,
                     seen);
}

std::string_view usualLimitText(const PathEntry& entry) {
  const auto limit = entry.usualLimit();
  return limit ? shortName(*limit) : "-";
}

std::string minuteText(WallTime time) {
  using namespace std::chrono;
  const sys_time<nanoseconds> point{nanoseconds(time.nanoseconds())};
  const auto day = floor<days>(point);
  const year_month_day date(day);
  const hh_mm_ss<minutes> clock(floor<minutes>(point - day));
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count());
}

std::string sentence(const PathOptions& options) {
  std::string text = options.sack ? "SACK" : "no SACK";
  text += options.timestamps ? ", timestamps" : ", no timestamps";
  if (options.sendWindowScale && options.receiveWindowScale) {
    text += fmt::format(", window scale {} to send and {} to receive", *options.sendWindowScale,
                        *options.receiveWindowScale);
  } else {
    text += ", no window scaling, so no window above 64 KiB";
  }
  text += options.ecn ? ", ECN" : ", no ECN";
  if (options.segmentSize) text += fmt::format(", MSS {} bytes", options.segmentSize->value());
  return text;
}

std::string sentence(const PathRate& rate) {
  const std::string best = fmt::format("{} on {}", formatRate(rate.rate), minuteText(rate.at));
  if (rate.isOfPath()) return best + ", limited by the network";
  if (rate.limit == Limit::unknown) return best + ", limit unknown: the path carries at least this";
  return fmt::format("{}, limited by the {}: the path carries at least this", best, shortName(rate.limit));
}

std::string sentence(const BufferAdvice& advice) {
  if (advice.whyNot)
    return fmt::format("{} of the next connection: {}.", bufferName(advice.side), whyNotSentence(advice));
  return fmt::format("{} of the next connection: {} ({}). {}", bufferName(advice.side),
                     formatBytes(static_cast<double>(advice.wanted.value())), basisSentence(advice.basis),
                     hereText(advice));
}

std::vector<std::string> pathCells(const PathEntry& entry) {
  const auto product = entry.bandwidthDelayProduct();
  return {entry.path.toString(),
          rttText(entry),
          rateText(entry.sending),
          rateText(entry.receiving),
          product ? formatBytes(static_cast<double>(product->value())) : "-",
          lossText(entry),
          std::string(usualLimitText(entry)),
          std::to_string(entry.connections),
          minuteText(entry.lastSeen)};
}

std::vector<PathFact> pathFacts(const PathEntry& entry) {
  std::vector<PathFact> facts;
  if (entry.rtt) {
    facts.emplace_back("minimum RTT", rttText(entry) + " on " + minuteText(entry.rtt->at));
  }
  if (entry.sending) facts.emplace_back("best Tx rate", sentence(*entry.sending));
  if (entry.receiving) facts.emplace_back("best Rx rate", sentence(*entry.receiving));
  if (const auto product = entry.bandwidthDelayProduct()) {
    facts.emplace_back("BDP", formatBytes(static_cast<double>(product->value())) + " at the best rate");
  }
  facts.emplace_back("loss", lossSentence(entry));
  if (entry.usualLimit()) facts.emplace_back("limit", fmt::format("{}, most often", usualLimitText(entry)));
  if (entry.options) facts.emplace_back("options", sentence(*entry.options));
  return facts;
}

std::string pathSentence(const PathEntry& entry) {
  return fmt::format("{}  connections {}, first seen {}, last {}", entry.path.toString(), entry.connections,
                     minuteText(entry.firstSeen), minuteText(entry.lastSeen));
}

std::string usuallyHereSentence(const PathEntry* entry, WallTime connectionSeen) {
  // One connection's own figures are no history.
  const bool isKnown = entry != nullptr && (entry->connections > 1 || entry->firstSeen < connectionSeen);
  if (!isKnown) return "No history of this path.";
  std::string text = fmt::format("History of this path, {}:", entry->path.toString());
  std::string_view next = " ";
  const auto put = [&](const std::string& what) {
    text += next;
    text += what;
    next = ", ";
  };
  if (entry->rtt) put("minimum RTT " + rttText(*entry));
  if (entry->sending) put("best Tx rate " + rateText(entry->sending));
  if (entry->receiving) put("best Rx rate " + rateText(entry->receiving));
  if (entry->lossRatio()) put("loss " + lossText(*entry));
  if (entry->usualLimit()) put(fmt::format("usually limited by: {}", usualLimitText(*entry)));
  if (next == " ") put("no figures yet");
  return text;
}

std::string sentence(const PathHistoryError& error) {
  const std::string file = forPlainText(error.file);
  switch (error.kind) {
    case PathHistoryErrorKind::noFolder:
      return "no folder for the path history: set HOME or XDG_STATE_HOME";
    case PathHistoryErrorKind::notOpened:
      return fmt::format(
          "cannot open the path history {}: {}; its folder must belong to this user and be writable by this user only",
          file, reasonOf(error));
    case PathHistoryErrorKind::damaged:
      return fmt::format(
          "the path history {} is damaged; the next run that writes it renames it and creates a new one, nothing is "
          "deleted",
          file);
    case PathHistoryErrorKind::foreign:
      return fmt::format(
          "{} is not a path history but a file of another program, and was not changed; move it elsewhere", file);
    case PathHistoryErrorKind::later:
      return fmt::format(
          "the path history {} was written by a later version of tcpscope and was not changed; use that version, or "
          "move the file elsewhere",
          file);
    case PathHistoryErrorKind::busy:
      return fmt::format("another program holds a lock on the path history {}; try again", file);
    case PathHistoryErrorKind::full:
      return fmt::format("no disk space for the path history {}; its contents are unchanged", file);
    case PathHistoryErrorKind::failed:
      break;
  }
  return fmt::format("cannot use the path history {} (SQLite error {}); its contents are unchanged", file,
                     error.number);
}

std::string putAsideSentence(const UntrustedText& aside) {
  return fmt::format("the path history was damaged; it was renamed to {}, and a new one created", forPlainText(aside));
}

std::string unknownPathSentence(const PathPrefix& path) {
  return fmt::format("no history of the path to {} yet: run watch or diagnose during a transfer to it",
                     path.toString());
}

}  // namespace tcpscope
