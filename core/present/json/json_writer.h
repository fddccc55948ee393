// Writes one JSON document, value by value, without a tree in between: a capture may have many thousand connections.
//
// A function that writes a piece of a document takes the writer and writes one value. One whose name ends in "Members"
// writes members of the object that is open.
//
// Whole numbers have no fraction, infinity is "unlimited", NaN is null. What is absent gives no member. Bytes of a text
// that are no UTF-8 become U+FFFD.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/units.h"

namespace tcpscope::json {

template <class T>
concept WholeNumber = std::integral<T> && !std::same_as<T, bool>;

class JsonWriter {
public:
  JsonWriter();
  ~JsonWriter();
  JsonWriter(const JsonWriter&) = delete;
  JsonWriter& operator=(const JsonWriter&) = delete;

  void value(std::nullptr_t) { null(); }
  /// A type of its own: a pointer to characters must not become a flag.
  void value(std::same_as<bool> auto flag) { truth(flag); }
  void value(std::signed_integral auto number) { whole(std::int64_t{number}); }
  void value(WholeNumber auto number) requires std::unsigned_integral<decltype(number)> {
    wholeUnsigned(std::uint64_t{number});
  }
  void value(double number);
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(BitsPerSecond rate) { value(rate.value()); }
  template <class Unit, class Rep>
  void value(Quantity<Unit, Rep> quantity) {
    value(quantity.value());
  }

  /// Of the value that follows.
  void key(std::string_view name);

  /// A value, or a function that writes one.
  template <class Value>
  void member(std::string_view name, const Value& content) {
    key(name);
    if constexpr (std::invocable<const Value&>) {
      content();
    } else {
      value(content);
    }
  }
  template <class Value>
  void member(std::string_view name, const std::optional<Value>& content) {
    if (content) member(name, *content);
  }

  /// An object with the members that `fill` writes.
  template <class Fill>
  void object(const Fill& fill) {
    beginObject();
    fill();
    endObject();
  }
  template <class Fill>
  void object(std::string_view name, const Fill& fill) {
    key(name);
    object(fill);
  }

  /// One entry an item, as `write` writes it.
  template <class Items, class Write>
  void array(const Items& items, const Write& write) {
    beginArray();
    for (const auto& item : items) write(item);
    endArray();
  }
  template <class Items, class Write>
  void array(std::string_view name, const Items& items, const Write& write) {
    key(name);
    array(items, write);
  }

  void beginObject();
  void endObject();
  void beginArray();
  void endArray();

  /// What was written so far, on one line; what is open stays open in it.
  [[nodiscard]] std::string text() const;

private:
  void null();
  void truth(bool flag);
  void whole(std::int64_t number);
  void wholeUnsigned(std::uint64_t number);

  struct Implementation;
  std::unique_ptr<Implementation> m_implementation;
};

/// The object whose members `fill` writes, as a line: with its line end.
template <class Fill>
std::string line(const Fill& fill) {
  JsonWriter out;
  out.object([&] { fill(out); });
  return out.text() + "\n";
}

}  // namespace tcpscope::json
