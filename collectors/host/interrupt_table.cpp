#include "collectors/host/interrupt_table.h"

#include <algorithm>
#include <cctype>

#include "collectors/host/file_values.h"

namespace tcpscope {

namespace {

/// What Linux can be built for (NR_CPUS).
constexpr std::size_t kMostProcessors = 8192;

std::string_view takeField(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::string_view field = line.substr(0, line.find_first_of(" \t"));
  line.remove_prefix(field.size());
  return field;
}

bool isAllDigits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "CPU0 CPU2"; none where it is another text.
std::vector<std::uint32_t> processorsIn(std::string_view header) {
  constexpr std::string_view kPrefix = "CPU";
  std::vector<std::uint32_t> processors;
  for (std::string_view word = takeField(header); !word.empty(); word = takeField(header)) {
    const auto number = word.starts_with(kPrefix) ? numberIn<std::uint32_t>(word.substr(kPrefix.size())) : std::nullopt;
    if (!number || processors.size() == kMostProcessors) return {};
    processors.push_back(*number);
  }
  return processors;
}

std::optional<InterruptLine> interruptIn(std::string_view text, std::size_t processors) {
  std::string_view title = takeField(text);
  if (!title.ends_with(':')) return std::nullopt;
  title.remove_suffix(1);
  const auto number = numberIn<std::uint32_t>(title);
  // "LOC:" and its like are of the processor itself.
  if (!isAllDigits(title) || !number) return std::nullopt;
  InterruptLine line;
  line.number = *number;
  for (std::size_t column = 0; column < processors; ++column) {
    const std::string_view word = takeField(text);
    const auto count = numberIn<std::uint64_t>(word);
    if (!isAllDigits(word) || !count) return std::nullopt;
    line.counts.push_back(*count);
  }
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  line.what = UntrustedText(std::string(text));
  return line;
}

}  // namespace

InterruptTable interruptTableIn(std::string_view text) {
  InterruptTable table;
  for (bool isHeader = true; text.find('\n') != std::string_view::npos; isHeader = false) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() + 1);
    if (isHeader) {
      table.processors = processorsIn(line);
      if (table.processors.empty()) return table;
      continue;
    }
    if (auto interrupt = interruptIn(line, table.processors.size())) table.lines.push_back(std::move(*interrupt));
  }
  return table;
}

bool namesInterface(const InterruptLine& line, const UntrustedText& interface) {
  const std::string& text = line.what.rawBytes();
  const std::string& name = interface.rawBytes();
  if (name.empty()) return false;
  const auto isPartOfName = [&](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    if ((at == 0 || !isPartOfName(at - 1)) && !isPartOfName(at + name.size())) return true;
  }
  return false;
}

}  // namespace tcpscope
