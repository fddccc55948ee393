#include "collectors/tracepoint/event_format.h"

#include <algorithm>
#include <charconv>

namespace tcpscope {

namespace {

/// Records are small: an offset far beyond them does not describe one.
constexpr std::size_t kLongestRecord = 4096;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

std::optional<std::uint64_t> numberAfter(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view digits = trimmed(text.substr(at + key.size()));
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return parsed.ec == std::errc() ? std::optional(number) : std::nullopt;
}

struct EventField {
  std::size_t offset = 0;
  std::size_t size = 0;
};

/// "field:__u8 saddr[4];	offset:34;	size:4;	signed:0;" if it describes the field of this name.
std::optional<EventField> fieldIn(std::string_view line, std::string_view name) {
  constexpr std::string_view kField = "field:";
  if (!line.starts_with(kField)) return std::nullopt;
  const std::size_t end = line.find(';');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view declaration = line.substr(kField.size(), end - kField.size());
  declaration = declaration.substr(0, declaration.find('['));
  const std::size_t space = declaration.find_last_of(" *");
  if (space == std::string_view::npos || declaration.substr(space + 1) != name) return std::nullopt;
  const auto offset = numberAfter(line.substr(end), "offset:");
  const auto size = numberAfter(line.substr(end), "size:");
  if (!offset || !size || *offset > kLongestRecord || *size > kLongestRecord) return std::nullopt;
  return EventField{*offset, *size};
}

}  // namespace

std::optional<std::uint64_t> findEventId(std::string_view format) {
  return numberAfter(format, "ID:");
}

std::optional<std::size_t> findEventField(std::string_view format, std::string_view name, std::size_t size) {
  while (!format.empty()) {
    const std::size_t end = std::min(format.find('\n'), format.size());
    if (const auto field = fieldIn(trimmed(format.substr(0, end)), name)) {
      return field->size == size ? std::optional(field->offset) : std::nullopt;
    }
    format.remove_prefix(std::min(end + 1, format.size()));
  }
  return std::nullopt;
}

}  // namespace tcpscope
