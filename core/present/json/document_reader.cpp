#include "core/present/json/document_reader.h"

#include <algorithm>
#include <charconv>
#include <chrono>

#include "core/base/escape.h"

namespace tcpscope::json {

namespace {

const Json* find(const Json& object, std::string_view name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(std::string(name));
  return found == object.end() ? nullptr : &*found;
}

std::string plain(const Json& value) {
  return value.is_string() ? forPlainText(UntrustedText(value.get<std::string>())) : std::string();
}

/// "2026-01-02T03:04:05": the value of the digits at `from`.
std::optional<int> digits(std::string_view text, std::size_t from, std::size_t count) {
  int value = 0;
  const char* const end = text.data() + from + count;
  const auto [stopped, error] = std::from_chars(text.data() + from, end, value);
  return error == std::errc() && stopped == end && value >= 0 ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<Json> parseDocument(std::string_view text, std::string_view schema) {
  // No document of ours is nested deeper; what a million brackets would take must not be taken.
  constexpr int kDeepest = 64;
  Json document = Json::parse(
      text, [](int depth, Json::parse_event_t, Json&) { return depth <= kDeepest; }, false);
  const Json* const found = find(document, "schema");
  if (found == nullptr || !found->is_string() || found->get<std::string>() != schema) return std::nullopt;
  return document;
}

const Json& arrayIn(const Json& object, std::string_view name) {
  static const Json kNone = Json::array();
  const Json* const found = find(object, name);
  return found != nullptr && found->is_array() ? *found : kNone;
}

bool hasArray(const Json& object, std::string_view name) {
  const Json* const found = find(object, name);
  return found != nullptr && found->is_array();
}

std::string plainText(const Json& object, std::string_view name) {
  return plainTextIfAny(object, name).value_or(std::string());
}

std::optional<std::string> plainTextIfAny(const Json& object, std::string_view name) {
  const Json* const found = find(object, name);
  return found != nullptr && found->is_string() ? std::optional(plain(*found)) : std::nullopt;
}

std::vector<std::string> plainTexts(const Json& array) {
  std::vector<std::string> texts;
  for (const Json& entry : array) texts.push_back(entry.is_object() ? plainText(entry, "text") : plain(entry));
  return texts;
}

bool flag(const Json& object, std::string_view name) {
  const Json* const found = find(object, name);
  return found != nullptr && found->is_boolean() && found->get<bool>();
}

std::uint64_t number(const Json& object, std::string_view name) {
  const Json* const found = find(object, name);
  return found != nullptr && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

std::optional<double> numberIn(const Json& object, std::string_view name, double from, double to) {
  const Json* const found = find(object, name);
  if (found == nullptr || !found->is_number()) return std::nullopt;
  const auto value = found->get<double>();
  return value >= from && value <= to ? std::optional(value) : std::nullopt;
}

std::optional<std::uint64_t> countIn(const Json& object, std::string_view name) {
  const Json* const found = find(object, name);
  return found != nullptr && found->is_number_unsigned() ? std::optional(found->get<std::uint64_t>()) : std::nullopt;
}

std::optional<WallTime> instant(const Json& object, std::string_view name) {
  const std::string text = plainText(object, name);
  constexpr std::string_view kForm = "2026-01-02T03:04:05";
  if (text.size() <= kForm.size() || text.back() != 'Z' || text[10] != 'T') return std::nullopt;
  const auto year = digits(text, 0, 4);
  const auto month = digits(text, 5, 2);
  const auto day = digits(text, 8, 2);
  const auto hours = digits(text, 11, 2);
  const auto minutes = digits(text, 14, 2);
  const auto seconds = digits(text, 17, 2);
  if (!year || !month || !day || !hours || !minutes || !seconds) return std::nullopt;
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                            std::chrono::day(static_cast<unsigned>(*day))};
  // Nanoseconds of a WallTime reach from 1677 to 2262.
  if (!date.ok() || *year < 1970 || *year > 2261) return std::nullopt;
  const auto sinceEpoch = sys_days(date).time_since_epoch() + std::chrono::hours(*hours) +
                          std::chrono::minutes(*minutes) + std::chrono::seconds(*seconds);
  return WallTime::fromNanoseconds(nanoseconds(sinceEpoch).count());
}

}  // namespace tcpscope::json
