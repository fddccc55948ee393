// Reads a JSON document that another program wrote: missing keys and wrong types give defaults, never an exception.
#pragma once

#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/moment.h"

namespace tcpscope::json {

using Json = nlohmann::ordered_json;

/// The object, if it has this schema.
std::optional<Json> parseDocument(std::string_view text, std::string_view schema);

/// An empty array unless `object` has an array of this name.
const Json& arrayIn(const Json& object, std::string_view name);
bool hasArray(const Json& object, std::string_view name);
/// Without control and bidirectional characters; empty unless it is a string.
std::string plainText(const Json& object, std::string_view name);
std::optional<std::string> plainTextIfAny(const Json& object, std::string_view name);
std::vector<std::string> plainTexts(const Json& array);
bool flag(const Json& object, std::string_view name);
std::uint64_t number(const Json& object, std::string_view name);
/// A finite number of the range; nothing for another value, or for none.
std::optional<double> numberIn(const Json& object, std::string_view name, double from, double to);
/// Nothing for a missing one: it is not known, and no 0.
std::optional<std::uint64_t> countIn(const Json& object, std::string_view name);
/// RFC 3339 in UTC, in whole seconds; nothing for another text.
std::optional<WallTime> instant(const Json& object, std::string_view name);

/// The one of `all` whose name() is `word`.
template <class Values>
auto valueNamed(const Values& all, std::string_view word) -> std::optional<std::decay_t<decltype(*std::begin(all))>> {
  for (const auto& one : all) {
    if (name(one) == word) return one;
  }
  return std::nullopt;
}

}  // namespace tcpscope::json
