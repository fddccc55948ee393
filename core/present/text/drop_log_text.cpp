#include "core/present/text/drop_log_text.h"

#include <fmt/format.h>

#include "core/base/escape.h"
#include "core/present/text/quantity_text.h"

namespace tcpscope {

namespace {

std::string whatIsWrong(DropLogError::Kind kind) {
  switch (kind) {
    case DropLogError::Kind::noTimeColumn:
      return "the first line names no column 'time_s'";
    case DropLogError::Kind::badTime:
      return "'time_s' takes seconds such as 1764324000.000123456";
    case DropLogError::Kind::missingField:
      return "fewer fields than columns";
    case DropLogError::Kind::longLine:
      return fmt::format("longer than {} bytes", kLongestDropLine);
    case DropLogError::Kind::tooManyLinks:
      return fmt::format("more than {} links", kLinksOfDropsAtMost);
    case DropLogError::Kind::tooManyDrops:
      return fmt::format("more than {} drops", formatCount(kDropsAtMost));
  }
  return {};
}

std::string shareLine(std::string_view span, double measured, double poisson) {
  return fmt::format("  within {} RTT of the previous one: {} (Poisson process of the same rate: {})", span,
                     formatRatio(measured), formatRatio(poisson));
}

}  // namespace

std::string sentence(const DropLogError& error) {
  return fmt::format("line {}: {}", error.line, whatIsWrong(error.kind));
}

std::vector<std::string> linesOf(const DropsOfLink& link, const LossSummary& losses) {
  std::vector<std::string> lines;
  const std::string name = link.link.empty() ? std::string() : forTerminal(link.link) + ": ";
  const std::string drops =
      fmt::format("{} {}", formatCount(link.drops.size()), link.drops.size() == 1 ? "drop" : "drops");
  lines.push_back(link.drops.size() < 2 ? name + drops
                                        : fmt::format("{}{} in {}", name, drops,
                                                      formatTime(toSeconds(link.drops.back() - link.drops[0]))));
  std::string kinds;
  for (const auto& [kind, count] : link.kinds) {
    kinds += fmt::format("{}{} {}", kinds.empty() ? "" : ", ", forTerminal(kind), formatCount(count));
  }
  if (!kinds.empty()) lines.push_back("  kinds: " + kinds);
  if (!losses.rtt) return lines;
  lines.push_back(fmt::format("  loss events (drops within one RTT of {} from the first): {}",
                              formatTime(toSeconds(*losses.rtt)), formatCount(losses.events.size())));
  if (losses.withinHundredthRtt && losses.poissonWithinHundredthRtt) {
    lines.push_back(shareLine("0.01", *losses.withinHundredthRtt, *losses.poissonWithinHundredthRtt));
  }
  if (losses.withinRtt && losses.poissonWithinRtt) {
    lines.push_back(shareLine("1", *losses.withinRtt, *losses.poissonWithinRtt));
  }
  return lines;
}

}  // namespace tcpscope
