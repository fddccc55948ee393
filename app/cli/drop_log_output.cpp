#include "app/cli/drop_log_output.h"

#include <fmt/format.h>

#include <array>

#include "app/cli/text_output.h"
#include "collectors/pcap/byte_source.h"
#include "core/base/escape.h"
#include "core/present/json/drop_log_document.h"
#include "core/present/text/capture_text.h"
#include "core/present/text/drop_log_text.h"

namespace tcpscope {

namespace {

std::string_view textOf(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

bool isDropLog(const std::string& name) {
  if (name == "-") return false;
  const auto source = openRegularFile(name);
  if (!source) return false;
  std::array<std::byte, kLongestDropLine> beginning{};
  const auto size = (*source)->read(beginning);
  return size && beginsDropLog(textOf(std::span(beginning).first(*size)));
}

ExitCode analyzeDropLog(const CommandOptions& options, const std::string& name) {
  constexpr std::size_t kPiece = 65'536;
  const auto source = openRegularFile(name);
  const UntrustedText file(name);
  if (!source) return fail(ExitCode::systemFailed, refusal(source.error(), file));
  DropLogReader reader;
  std::vector<std::byte> piece(kPiece);
  while (true) {
    const auto size = (*source)->read(piece);
    if (!size) return fail(ExitCode::systemFailed, refusal(size.error(), file));
    if (*size == 0) break;
    reader.take(textOf(std::span(piece).first(*size)));
  }
  const auto log = reader.finish();
  if (!log) return fail(ExitCode::badInput, fmt::format("'{}', {}", forTerminal(file), sentence(log.error())));
  std::vector<LossSummary> losses;
  losses.reserve(log->links.size());
  for (const DropsOfLink& link : log->links) {
    losses.push_back(summarizeDropLog(link.drops, options.analysis.rtt));
  }
  if (options.json) return writeOut(toJson(*log, losses, file));
  TextBuffer out;
  for (std::size_t number = 0; number < losses.size(); ++number) {
    for (const std::string& line : linesOf(log->links[number], losses[number])) append(out, line + "\n");
  }
  if (losses.empty()) append(out, "no drops\n");
  if (log->otherEvents > 0) {
    append(out,
           fmt::format("{} other {}, such as marks\n", log->otherEvents, log->otherEvents == 1 ? "event" : "events"));
  }
  if (!losses.empty() && !options.analysis.rtt) {
    append(out, "For loss events and intervals, add the path's RTT, such as --rtt 20ms.\n");
  }
  return writeOut({out.data(), out.size()});
}

}  // namespace tcpscope
