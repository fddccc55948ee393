#include "core/present/text/path_book_text.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <system_error>
#include <vector>

#include "core/base/escape.h"
#include "core/present/text/sentences.h"

namespace tcpscope {

namespace {

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string_view bufferName(Side side) {
  return side == Side::sending ? "Send buffer" : "Receive buffer";
}

std::string_view whyNotSentence(const BufferAdvice& advice) {
  if (*advice.whyNot == WhyNoBuffer::noRoundTrip) return "not known, as no round trip was measured yet";
  return advice.side == Side::sending ? "not known, as no transfer to there was seen for long enough yet"
                                      : "not known, as no transfer from there was seen for long enough yet";
}

std::string_view basisSentence(BufferBasis basis) {
  switch (basis) {
    case BufferBasis::ofPath:
      return "twice bandwidth times delay, as a start: the path itself held the fastest transfer back";
    case BufferBasis::atLeast:
      return "at least, as a start: the path is not known to have held the fastest transfer back, and may take more";
    case BufferBasis::ofBuffer:
      break;
  }
  return "at least: a window or a buffer held the fastest transfer back, so this is what was used, and the path may "
         "take more";
}

std::string hereText(const BufferAdvice& advice) {
  const std::string_view setting = bufferSetting(advice.side);
  if (!advice.largestHere) return fmt::format("What {} allows here is not known.", setting);
  const std::string largest = formatBytes(static_cast<double>(advice.largestHere->value()));
  if (*advice.fitsHere()) {
    return fmt::format("Automatic tuning goes up to {} here ({}), which is enough: leave the buffer to it.", largest,
                       setting);
  }
  return fmt::format("Automatic tuning goes up to {} here ({}), which is too little: raise its third number to {}.",
                     largest, setting, advice.wanted.value());
}

std::string reasonOf(const PathBookError& error) {
  return std::generic_category().message(error.number);
}

}  // namespace

std::string rateText(const std::optional<PathRate>& rate) {
  if (!rate) return "-";
  return (rate->isOfPath() ? "" : "at least ") + formatRate(rate->rate);
}

std::string roundTripText(const PathEntry& entry) {
  return entry.roundTrip ? formatTime(toSeconds(entry.roundTrip->smallest)) : "-";
}

std::string lossText(const PathEntry& entry) {
  const auto ratio = entry.lossRatio();
  if (!ratio) return "-";
  if (*ratio == 0.0) return fmt::format("none in {} segments", grouped(entry.segments));
  return fmt::format("{:.2g} % of {} segments", *ratio * 100, grouped(entry.segments));
}

std::string lossSentence(const PathEntry& entry) {
  if (entry.segments == 0) return "not known, as nothing was sent this way yet";
  const std::string seen = grouped(entry.segments) + " segments sent";
  if (entry.retransmitted == 0) {
    const bool isEnough = entry.lossRatio().has_value();
    return fmt::format("none in {}{}", seen, isEnough ? "" : ", which is too little to tell");
  }
  const std::string again = grouped(entry.retransmitted);
  if (entry.lossEvents == entry.retransmitted) return fmt::format("{} in {}", again, seen);
  return fmt::format("between {} and {} in {}: so many were told apart, so many sent again", grouped(entry.lossEvents),
                     again, seen);
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
  if (rate.isOfPath()) return best + ", held back by the path itself";
  if (rate.limit == Limit::unknown) return best + ", what held it back is in doubt: the path can do this or more";
  return fmt::format("{}, held back by the {}: the path can do this or more", best, shortName(rate.limit));
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
          roundTripText(entry),
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
  if (entry.roundTrip) {
    facts.emplace_back("round trip", roundTripText(entry) + " at best, on " + minuteText(entry.roundTrip->at));
  }
  if (entry.sending) facts.emplace_back("sending", sentence(*entry.sending));
  if (entry.receiving) facts.emplace_back("receiving", sentence(*entry.receiving));
  if (const auto product = entry.bandwidthDelayProduct()) {
    facts.emplace_back("to fill it",
                       formatBytes(static_cast<double>(product->value())) + " under way, at the best rate");
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
  // What this connection alone has shown is not usual yet.
  const bool isKnown = entry != nullptr && (entry->connections > 1 || entry->firstSeen < connectionSeen);
  if (!isKnown) return "Of this path nothing is known from before.";
  std::string text = fmt::format("Usually on this path, {}:", entry->path.toString());
  std::string_view next = " ";
  const auto put = [&](const std::string& what) {
    text += next;
    text += what;
    next = ", ";
  };
  if (entry->roundTrip) put("round trip " + roundTripText(*entry) + " at best");
  if (entry->sending) put("sending " + rateText(entry->sending));
  if (entry->receiving) put("receiving " + rateText(entry->receiving));
  if (entry->lossRatio()) put("losses " + lossText(*entry));
  if (entry->usualLimit()) put(fmt::format("held back by: {}", usualLimitText(*entry)));
  if (next == " ") put("no figures yet");
  return text;
}

std::string sentence(const PathBookError& error) {
  const std::string file = forPlainText(error.file);
  switch (error.kind) {
    case PathBookErrorKind::noFolder:
      return "the path book has no place: set HOME or XDG_STATE_HOME";
    case PathBookErrorKind::notOpened:
      return fmt::format(
          "cannot open the path book {}: {}; its folder has to be this user's and writable by nobody else", file,
          reasonOf(error));
    case PathBookErrorKind::damaged:
      return fmt::format(
          "the path book {} is damaged; what next looks at connections puts it aside and begins another, "
          "nothing of it is deleted",
          file);
    case PathBookErrorKind::foreign:
      return fmt::format("{} is no path book but a file of another program, and was left alone; move it away", file);
    case PathBookErrorKind::later:
      return fmt::format(
          "the path book {} is of a later version of tcpscope, and was left alone; use that version, or "
          "move the file away",
          file);
    case PathBookErrorKind::busy:
      return fmt::format("another program keeps the path book {}; try again", file);
    case PathBookErrorKind::full:
      return fmt::format("no room on the disk for the path book {}; what it held is still there", file);
    case PathBookErrorKind::failed:
      break;
  }
  return fmt::format("cannot use the path book {} (SQLite's code {}); what it held is still there", file, error.number);
}

std::string putAsideSentence(const UntrustedText& aside) {
  return fmt::format("the path book was damaged; it was put aside as {}, and another begun", forPlainText(aside));
}

std::string unknownPathSentence(const PathPrefix& path) {
  return fmt::format("nothing is known of the path to {} yet: look at a transfer there with watch or diagnose",
                     path.toString());
}

}  // namespace tcpscope
