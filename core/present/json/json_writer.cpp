#include "core/present/json/json_writer.h"

// Strings without anything to escape, as all keys and most texts are, pass sixteen bytes at a time.
#if defined(__SSE2__)
#define RAPIDJSON_SSE2
#elif defined(__ARM_NEON)
#define RAPIDJSON_NEON
#endif
// The library adds to the null pointer of a buffer that is still empty, to see that it is; nothing is read there.
#if defined(__clang__)
#pragma clang attribute push(__attribute__((no_sanitize("pointer-overflow"))), apply_to = function)
#endif
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#if defined(__clang__)
#pragma clang attribute pop
#endif

#include <cmath>

#include "core/base/utf8.h"

namespace tcpscope::json {

namespace {

/// Whole numbers up to here are exact in a double, and in every reader of JSON.
constexpr double kLargestWhole = 9007199254740992.0;

std::string strictUtf8(std::string_view text) {
  std::string strict;
  while (!text.empty()) appendUtf8(strict, takeCharacter(text));
  return strict;
}

}  // namespace

struct JsonWriter::Implementation {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer{buffer};
};

JsonWriter::JsonWriter() : m_implementation(std::make_unique<Implementation>()) {}
JsonWriter::~JsonWriter() = default;

void JsonWriter::value(double number) {
  auto& writer = m_implementation->writer;
  if (std::isnan(number)) {
    writer.Null();
  } else if (std::isinf(number)) {
    value(std::string_view("unlimited"));
  } else if (std::abs(number) <= kLargestWhole && number == std::floor(number)) {
    writer.Int64(static_cast<std::int64_t>(number));
  } else {
    writer.Double(number);
  }
}

void JsonWriter::value(std::string_view text) {
  if (!isUtf8(text)) return value(strictUtf8(text));
  m_implementation->writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

void JsonWriter::key(std::string_view name) {
  m_implementation->writer.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
}

void JsonWriter::null() {
  m_implementation->writer.Null();
}

void JsonWriter::truth(bool flag) {
  m_implementation->writer.Bool(flag);
}

void JsonWriter::whole(std::int64_t number) {
  m_implementation->writer.Int64(number);
}

void JsonWriter::wholeUnsigned(std::uint64_t number) {
  m_implementation->writer.Uint64(number);
}

void JsonWriter::beginObject() {
  m_implementation->writer.StartObject();
}

void JsonWriter::endObject() {
  m_implementation->writer.EndObject();
}

void JsonWriter::beginArray() {
  m_implementation->writer.StartArray();
}

void JsonWriter::endArray() {
  m_implementation->writer.EndArray();
}

std::string JsonWriter::text() const {
  return {m_implementation->buffer.GetString(), m_implementation->buffer.GetSize()};
}

}  // namespace tcpscope::json
