#include "collectors/tracepoint/retransmit_event.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "collectors/tracepoint/record_value.h"

namespace tcpscope {

namespace {

constexpr std::size_t kBytes4 = 4;
constexpr std::size_t kBytes6 = 16;
/// Records are small; what claims to lie far behind is no description of one.
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

struct Field {
  std::size_t offset = 0;
  std::size_t size = 0;
};

/// "field:__u8 saddr[4];	offset:34;	size:4;	signed:0;" where it is the one of this name.
std::optional<Field> fieldIn(std::string_view line, std::string_view name) {
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
  return Field{*offset, *size};
}

std::optional<Field> fieldOf(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const auto field = fieldIn(trimmed(text.substr(0, end)), name)) return field;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

template <std::size_t Size>
std::array<std::uint8_t, Size> octetsAt(std::span<const std::byte> record, std::size_t offset) {
  return valueAt<std::array<std::uint8_t, Size>>(record, offset);
}

}  // namespace

std::optional<RetransmitLayout> parseRetransmitFormat(std::string_view text) {
  RetransmitLayout layout;
  const auto id = numberAfter(text, "ID:");
  if (!id) return std::nullopt;
  layout.id = *id;
  const auto place = [&](std::string_view name, std::size_t size, std::size_t& offset) {
    const auto field = fieldOf(text, name);
    if (!field || field->size != size) return false;
    offset = field->offset;
    layout.length = std::max(layout.length, field->offset + size);
    return true;
  };
  constexpr std::size_t kWord = sizeof(std::uint16_t);
  std::size_t family = 0;
  if (place("family", kWord, family)) layout.family = family;
  const bool isWhole = place("sport", kWord, layout.sourcePort) && place("dport", kWord, layout.destinationPort) &&
                       place("saddr", kBytes4, layout.source4) && place("daddr", kBytes4, layout.destination4) &&
                       place("saddr_v6", kBytes6, layout.source6) && place("daddr_v6", kBytes6, layout.destination6);
  return isWhole ? std::optional(layout) : std::nullopt;
}

std::optional<RetransmissionEvent> decodeRetransmit(const RetransmitLayout& layout, std::span<const std::byte> record,
                                                    Moment at) {
  if (record.size() < layout.length) return std::nullopt;
  const auto sourcePort = valueAt<std::uint16_t>(record, layout.sourcePort);
  const auto destinationPort = valueAt<std::uint16_t>(record, layout.destinationPort);
  const IpAddress source = IpAddress::v6(octetsAt<kBytes6>(record, layout.source6)).unmapped();
  const IpAddress destination = IpAddress::v6(octetsAt<kBytes6>(record, layout.destination6)).unmapped();
  // Both kinds of addresses are filled in for IPv4: mapped ones in the longer fields.
  if (!layout.family) return RetransmissionEvent{{source, sourcePort}, {destination, destinationPort}, at};
  switch (valueAt<std::uint16_t>(record, *layout.family)) {
    case AF_INET:
      return RetransmissionEvent{{IpAddress::v4(octetsAt<kBytes4>(record, layout.source4)), sourcePort},
                                 {IpAddress::v4(octetsAt<kBytes4>(record, layout.destination4)), destinationPort},
                                 at};
    case AF_INET6:
      return RetransmissionEvent{{source, sourcePort}, {destination, destinationPort}, at};
    default:
      return std::nullopt;
  }
}

}  // namespace tcpscope
