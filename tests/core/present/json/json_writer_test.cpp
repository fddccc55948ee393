#include "core/present/json/json_writer.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>

namespace tcpscope::json {
namespace {

template <class Value>
std::string written(const Value& value) {
  JsonWriter out;
  out.value(value);
  return out.text();
}

TEST(JsonWriter, WritesWholeNumbersWithoutAFraction) {
  EXPECT_EQ(written(3.0), "3");
  EXPECT_EQ(written(-0.25), "-0.25");
  EXPECT_EQ(written(std::uint64_t{18446744073709551615U}), "18446744073709551615");
  EXPECT_EQ(written(std::int64_t{-9}), "-9");
  EXPECT_EQ(written(std::uint8_t{7}), "7");
}

TEST(JsonWriter, KeepsEveryDigitOfANumber) {
  for (const double number : {0.1, 1.0 / 3.0, 1e-12, 1.7976931348623157e308, 12345678.9}) {
    EXPECT_EQ(nlohmann::json::parse(written(number)).get<double>(), number);
  }
}

TEST(JsonWriter, NamesWhatHasNoLimitAndWhatIsNoNumber) {
  EXPECT_EQ(written(std::numeric_limits<double>::infinity()), R"("unlimited")");
  EXPECT_EQ(written(BitsPerSecond::unlimited()), R"("unlimited")");
  EXPECT_EQ(written(std::numeric_limits<double>::quiet_NaN()), "null");
  EXPECT_EQ(written(nullptr), "null");
}

TEST(JsonWriter, ATextIsNoFlag) {
  EXPECT_EQ(written("true"), R"("true")");
  EXPECT_EQ(written(true), "true");
}

TEST(JsonWriter, EscapesWhatATextMayNotHold) {
  const std::string hostile = std::string("a\"b\\c\n") + '\0' + "\x1b[31m";
  EXPECT_EQ(nlohmann::json::parse(written(hostile)).get<std::string>(), hostile);
}

TEST(JsonWriter, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(written(std::string("gr\xc3\xbcn")), "\"gr\xc3\xbcn\"");
  EXPECT_EQ(written(std::string("\xff!\xc3")), "\"\xef\xbf\xbd!\xef\xbf\xbd\"");
}

TEST(JsonWriter, WritesNoMemberForWhatIsAbsent) {
  const std::string text = line([](JsonWriter& out) {
    out.member("known", std::optional(Bytes(5)));
    out.member("unknown", std::optional<Bytes>());
  });
  EXPECT_EQ(text, "{\"known\":5}\n");
}

TEST(JsonWriter, NestsObjectsAndArrays) {
  const std::string text = line([](JsonWriter& out) {
    out.array("ports", std::array{80, 443}, [&](int port) { out.value(port); });
    out.object("none", [] {});
    out.member("made", [&] { out.object([&] { out.member("by", "hand"); }); });
  });
  EXPECT_EQ(text, "{\"ports\":[80,443],\"none\":{},\"made\":{\"by\":\"hand\"}}\n");
}

TEST(JsonWriter, ATextMayStayOpen) {
  JsonWriter out;
  out.beginObject();
  out.key("connections");
  out.beginArray();
  EXPECT_EQ(out.text(), R"({"connections":[)");
}

}  // namespace
}  // namespace tcpscope::json
