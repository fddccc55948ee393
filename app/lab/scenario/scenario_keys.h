// The keys of each kind of section: how each is read, what it allows, and how it is written. Reader and writer walk the
// same rows, so that what one knows the other knows.
#pragma once

#include <span>
#include <type_traits>

#include "app/lab/scenario/scenario.h"
#include "app/lab/scenario/scenario_values.h"

namespace tcpscope::lab {

template <class Target>
struct KeyRow {
  std::string_view key;
  /// For people.
  std::string_view allowed;
  /// False where the text is no value of this key; then the target stays as it was.
  bool (*read)(Target& target, std::string_view text);
  /// Nothing where the target has what a new one has.
  std::optional<std::string> (*write)(const Target& target);
};

std::span<const KeyRow<LinkSettings>> linkKeys();
std::span<const KeyRow<TrafficSettings>> trafficKeys();
std::span<const KeyRow<Truth>> truthKeys();
/// The keys outside of every section.
std::span<const KeyRow<Scenario>> scenarioKeys();

// How the values of plain members are read and written.

/// What has a reader and a writer of its own among the values.
template <const std::string_view& kText, auto kReader, auto kWriter>
struct PlainValue {
  static constexpr std::string_view kAllowed = kText;
  static constexpr auto kRead = kReader;
  static constexpr auto kWrite = kWriter;
};
using RateValue = PlainValue<kRateAllowed, readRate, rateText>;
using TimeValue = PlainValue<kTimeAllowed, readTime, timeText>;
using SizeValue = PlainValue<kSizeAllowed, readSize, sizeText>;
using ShareValue = PlainValue<kShareAllowed, readShare, shareText>;
using ChoiceValue = PlainValue<kChoiceAllowed, readChoice, choiceText>;
struct CountValue {
  static constexpr std::string_view kAllowed = kCountAllowed;
  static constexpr auto kRead = readCount;
  static std::string kWrite(std::uint64_t count) { return std::to_string(count); }
};
struct NameValue {
  static constexpr std::string_view kAllowed = kNameAllowed;
  static std::optional<std::string> kRead(std::string_view text) {
    return isName(text) ? std::optional<std::string>(text) : std::nullopt;
  }
  static std::string kWrite(const std::string& name) { return name; }
};
struct TextValue {
  static constexpr std::string_view kAllowed = "a text";
  static std::optional<std::string> kRead(std::string_view text) {
    return text.empty() ? std::nullopt : std::optional<std::string>(text);
  }
  static std::string kWrite(const std::string& text) { return text; }
};

template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

/// The row of a member whose value stands for itself; one that may be absent takes "none", too.
template <class Value, auto Member, class Target>
constexpr KeyRow<Target> memberRow(std::string_view key) {
  using MemberType = std::remove_reference_t<decltype(std::declval<Target&>().*Member)>;
  const auto read = [](Target& target, std::string_view text) {
    if constexpr (IsOptional<MemberType>::value) {
      if (text == "none") {
        target.*Member = std::nullopt;
        return true;
      }
    }
    const auto value = Value::kRead(text);
    if (!value) return false;
    target.*Member = *value;
    return true;
  };
  const auto write = [](const Target& target) -> std::optional<std::string> {
    if (target.*Member == Target().*Member) return std::nullopt;
    if constexpr (IsOptional<MemberType>::value) {
      return target.*Member ? std::optional(Value::kWrite(*(target.*Member))) : std::nullopt;
    } else {
      return Value::kWrite(target.*Member);
    }
  };
  return {key, Value::kAllowed, read, write};
}

}  // namespace tcpscope::lab
