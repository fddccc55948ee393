#include "app/cli/connection_output.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <cmath>

#include "app/cli/help_formatter.h"
#include "core/base/escape.h"
#include "core/present/text/diagnosis_text.h"
#include "core/present/text/quantity_text.h"
#include "core/present/text/report_text.h"
#include "core/present/text/source_text.h"

namespace tcpscope {

namespace {

std::string limitsText(const LimitShares& limits) {
  std::vector<Limit> order(kLimits.begin(), kLimits.end());
  std::stable_sort(order.begin(), order.end(), [&](Limit a, Limit b) { return limits.span(a) > limits.span(b); });
  std::string text;
  for (const Limit limit : order) {
    if (limits.ratio(limit) < 0.005) continue;
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", shortName(limit), limits.ratio(limit) * 100);
  }
  return text;
}

/// What held it when, where that changed.
void appendStretches(TextBuffer& out, const std::vector<LimitStretch>& stretches) {
  constexpr std::size_t kWidth = 100;
  if (stretches.size() < 2) return;
  bool first = true;
  std::string text;
  for (const LimitStretch& stretch : stretches) {
    const bool isLast = &stretch == &stretches.back();
    text += phrase(stretch, stretches.front().from) + (isLast ? "" : ", ");
    if (!isLast && text.size() < kWidth) continue;
    appendItem(out, first ? "over time" : "", text);
    first = false;
    text.clear();
  }
}

void appendBounds(TextBuffer& out, const SideDiagnosis& side) {
  bool first = true;
  for (const Bound& bound : side.bounds) {
    std::string text;
    if (bound.applies && bound.rate) {
      text = formatRate(*bound.rate);
    } else if (bound.whyNot == WhyNoBound::noLossSeen && bound.rate) {
      text = fmt::format("at least {} ({})", formatRate(*bound.rate), sentence(bound.whyNot));
    } else {
      continue;
    }
    appendItem(out, first ? "bounds" : "", fmt::format("{}: {}", title(bound.model), text));
    first = false;
  }
}

/// What stands beside the verdict is not written twice.
bool isBesideVerdict(const Evidence& evidence, const Verdict& verdict) {
  return std::any_of(verdict.evidence.begin(), verdict.evidence.end(), [&](const Evidence& one) {
    return one.key == evidence.key && one.value == evidence.value && one.comparedWith == evidence.comparedWith;
  });
}

}  // namespace

std::string Style::colored(FindingSeverity severity, std::string_view text) const {
  if (severity == FindingSeverity::problem) return wrap("\x1b[31m", text);
  return severity == FindingSeverity::warning ? wrap("\x1b[33m", text) : std::string(text);
}

std::string Style::wrap(std::string_view code, std::string_view text) const {
  return m_color ? fmt::format("{}{}\x1b[0m", code, text) : std::string(text);
}

void appendItem(TextBuffer& out, std::string_view title, std::string_view text) {
  constexpr std::size_t kIndent = 16;
  // Asked once: of a large capture there are many lines.
  static const std::size_t width = terminalWidth();
  while (!text.empty()) {
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), whole.size() + 1));
    const std::size_t blanks = std::min(whole.find_first_not_of(' '), whole.size());
    const std::size_t indent = kIndent + blanks;
    const bool fits = kIndent + displayWidth(whole) <= width;
    line(out, "    {:<12}{}{}", title, whole.substr(0, blanks),
         fits ? std::string(whole.substr(blanks)) : wrapped(whole, width, indent));
    title = {};
  }
}

void appendCommand(TextBuffer& out, std::string_view title, std::string_view text) {
  line(out, "    {:<12}{}", title, text);
}

void appendVerdict(TextBuffer& out, const SideDiagnosis& side, const Style& style) {
  const std::string says = style.bold(sentence(side.verdict, side.side));
  // An unknown limit has no confidence.
  const bool isKnown = side.verdict.limit != Limit::unknown;
  appendItem(out, "verdict",
             isKnown ? says + " " + style.dim(fmt::format("(confidence {})", confidenceFigure(side.verdict))) : says);
  bool first = true;
  for (const Evidence& evidence : side.verdict.evidence) {
    appendItem(out, first ? "evidence" : "", sentence(evidence));
    first = false;
  }
}

void appendDiagnosis(TextBuffer& out, const SideDiagnosis& side, const Style& style) {
  appendVerdict(out, side, style);
  if (const std::string limits = limitsText(side.limits); !limits.empty()) appendItem(out, "limits", limits);
  appendStretches(out, side.history.stretches);
  appendBounds(out, side);
  for (const Finding& finding : side.findings) {
    const std::string word = fmt::format("{:<12}", name(finding.severity));
    appendItem(out, style.colored(finding.severity, word), sentence(finding, side.side));
    for (const Evidence& evidence : finding.evidence) {
      if (!isBesideVerdict(evidence, side.verdict)) appendItem(out, "", "  " + sentence(evidence));
    }
  }
}

std::string namespaceText(const std::vector<Place>& places, PlaceId id) {
  const auto found = std::find_if(places.begin(), places.end(), [id](const Place& place) { return place.id == id; });
  return found == places.end() || found->namespaceLabel().empty() ? "-" : forTerminal(found->namespaceLabel());
}

void appendConnectionName(TextBuffer& out, const ConnectionDetail& detail, const std::vector<Place>& places,
                          const Style& style) {
  std::string where;
  if (places.size() > 1) where = "  netns " + namespaceText(places, detail.socket.id.place);
  std::string owner;
  if (detail.owner) owner = fmt::format("  {} ({})", forTerminal(detail.owner->processName), detail.owner->pid);
  line(out, "{}  {}  {}{}{}",
       style.bold(fmt::format("{} -> {}", detail.socket.local.toString(), detail.socket.remote.toString())),
       detail.row.closed ? "closed" : name(detail.socket.state), forTerminal(detail.socket.congestionControl.text()),
       owner, where);
}

void appendSideName(TextBuffer& out, const SideDiagnosis& side) {
  const std::string rate = side.goodput ? formatRate(*side.goodput) : std::string("rate unknown");
  line(out, "  {} {}", side.side == Side::sending ? "Tx" : "Rx", rate);
}

void appendLeftOut(TextBuffer& out, const std::vector<CollectionGap>& gaps,
                   const std::vector<std::shared_ptr<const ConnectionDetail>>& details) {
  const auto idle =
      std::count_if(details.begin(), details.end(), [](const auto& one) { return !isActive(one->diagnosis); });
  if (const std::string lost = incompleteText(gaps); !lost.empty()) line(out, "{}", lost);
  if (idle > 0) line(out, "{} idle connection{} left out; --json has all.", idle, idle == 1 ? "" : "s");
}

std::string timeText(WallTime time) {
  constexpr std::int64_t kPerSecond = 1'000'000'000;
  const std::int64_t rest = (time.nanoseconds() % kPerSecond + kPerSecond) % kPerSecond;
  const std::time_t second = (time.nanoseconds() - rest) / kPerSecond;
  return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03} UTC", fmt::gmtime(second), rest / 1'000'000);
}

std::string processText(const Owner* owner) {
  if (owner == nullptr) return "-";
  return fmt::format("{:.12} ({})", forTerminal(owner->processName), owner->pid);
}

std::string rateText(float bitsPerSecond) {
  return std::isnan(bitsPerSecond) ? "-" : formatRate(BitsPerSecond(static_cast<double>(bitsPerSecond)));
}

}  // namespace tcpscope
