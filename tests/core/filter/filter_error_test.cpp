#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/filter/connection_filter.h"

namespace tcpscope {
namespace {

using Kind = FilterError::Kind;
using testing::HasSubstr;

FilterError errorOf(std::string_view text) {
  const auto filter = ConnectionFilter::parse(text);
  EXPECT_FALSE(filter) << text;
  return filter ? FilterError{} : filter.error();
}

struct WrongFilter {
  /// The caret stands under the place that the error must name.
  std::string_view text;
  std::string_view place;
  Kind kind;
  std::string_view expected;
};

constexpr WrongFilter kWrong[] = {
    {"dport = ",  //
     "        ^", Kind::unexpectedEnd, "a port"},
    {"dport = :https2",  //
     "        ^", Kind::badPort, "a port"},
    {"dport = 65536",  //
     "        ^", Kind::badPort, "0 to 65535"},
    {"dport ~ 443",  //
     "      ^", Kind::badComparison, "="},
    {"dst example.org",  //
     "    ^", Kind::badAddress, "10/8"},
    {"dst 10/33",  //
     "    ^", Kind::badAddress, "10/8"},
    {"dst [::1",  //
     "    ^", Kind::badAddress, "address"},
    {"dst 10.0.0.1:nope",  //
     "    ^", Kind::badPort, "address"},
    {"dst > 10/8",  //
     "    ^", Kind::badComparison, "="},
    {"state lost",  //
     "      ^", Kind::badValue, "established"},
    {"exclude",  //
     "       ^", Kind::unexpectedEnd, "a state"},
    {"speed > 3",  //
     "^", Kind::unknownField, "a condition"},
    {"rtt",  //
     "   ^", Kind::unexpectedEnd, "="},
    {"rtt 50ms",  //
     "    ^", Kind::badComparison, "="},
    {"rtt > 50 ms",  //
     "         ^", Kind::badUnit, "50ms, 200us or 1.5s, in one word"},
    {"rate < 5 bananas and dport = :443",  //
     "         ^", Kind::badUnit, "10Mbit"},
    {"rtt > 50ms speed > 3",  //
     "           ^", Kind::unknownField, "a condition"},
    {"rtt > 50kg",  //
     "      ^", Kind::badValue, "50ms"},
    {"rtt > -5",  //
     "      ^", Kind::badValue, "50ms"},
    {"rtt > nan",  //
     "      ^", Kind::badValue, "50ms"},
    {"snd_cwnd > 5s",  //
     "           ^", Kind::badValue, "segments"},
    {"ca_state > open",  //
     "         ^", Kind::badComparison, "= or !="},
    {"ca_state = sleepy",  //
     "           ^", Kind::badValue, "recovery"},
    {"limit = sender",  //
     "        ^", Kind::badValue, "send_buffer"},
    {"limit > receiver",  //
     "      ^", Kind::badComparison, "= or !="},
    {"process ~",  //
     "         ^", Kind::unexpectedEnd, "a text"},
    {"process > x",  //
     "        ^", Kind::badComparison, "~"},
    {"pid = many",  //
     "      ^", Kind::badValue, "a number"},
    {"(dport 443",  //
     "          ^", Kind::unexpectedEnd, "closing parenthesis"},
    {"dport 443)",  //
     "         ^", Kind::unexpectedWord, "the end"},
    {"dport 443 and",  //
     "             ^", Kind::unexpectedEnd, "a condition"},
    {"or dport 443",  //
     "^", Kind::unexpectedWord, "a condition"},
    {"()",  //
     " ^", Kind::unexpectedWord, "a condition"},
    {"not",  //
     "   ^", Kind::unexpectedEnd, "a condition"},
    {"\"dport\" = 443",  //
     "^", Kind::unexpectedWord, "a condition"},
};

TEST(FilterError, SaysWhereAndWhatWasExpected) {
  for (const WrongFilter& wrong : kWrong) {
    const FilterError error = errorOf(wrong.text);
    EXPECT_EQ(error.position, wrong.place.size() - 1) << wrong.text;
    EXPECT_EQ(static_cast<int>(error.kind), static_cast<int>(wrong.kind)) << wrong.text;
    EXPECT_THAT(error.expected, HasSubstr(std::string(wrong.expected))) << wrong.text;
  }
}

TEST(FilterError, ComesAsOneSentence) {
  EXPECT_EQ(sentence(errorOf("rtt > 50kg"), "rtt > 50kg"),
            "Filter, character 7 (\"50kg\"): not a value of this field; expected a time such as 50ms, 200us or 1.5s.");
  EXPECT_EQ(sentence(errorOf("rtt >"), "rtt >"),
            "Filter, character 6: the filter ends too early; expected a time such as 50ms, 200us or 1.5s.");
}

TEST(FilterError, KeepsControlCharactersOutOfTheSentence) {
  const std::string text = "dport = \x1b[2J\x07";
  EXPECT_THAT(sentence(errorOf(text), text), testing::Not(HasSubstr("\x1b")));
}

TEST(FilterError, BoundsLengthAndDepth) {
  EXPECT_EQ(errorOf(std::string(4097, ' ')).kind, Kind::tooLong);
  EXPECT_TRUE(ConnectionFilter::parse(std::string(4096, ' ')));
  EXPECT_EQ(errorOf(std::string(2000, '(')).kind, Kind::tooDeep);
  EXPECT_EQ(errorOf(std::string(2000, '!')).kind, Kind::tooDeep);
  EXPECT_TRUE(ConnectionFilter::parse(std::string(60, '(') + "dport 443" + std::string(60, ')')));
}

TEST(FilterError, TakesManyConditionsSideBySide) {
  std::string text;
  while (text.size() + 10 < 4096) text += "dport 443 ";
  EXPECT_TRUE(ConnectionFilter::parse(text));
}

}  // namespace
}  // namespace tcpscope
