#include "core/base/escape.h"

#include <gtest/gtest.h>

#include <vector>

namespace tcpscope {
namespace {

TEST(Escape, LeavesOrdinaryTextAlone) {
  for (const std::string text : {"nginx", "Größe", "日本語", "naïve 🙂"}) {
    EXPECT_EQ(forPlainText(text), text);
    EXPECT_EQ(forTerminal(text), text);
    EXPECT_EQ(forHtml(text), text);
    EXPECT_EQ(forJson(text), text);
    EXPECT_EQ(forCsv(text), text);
  }
}

TEST(Escape, RemovesWhatActsOnATerminal) {
  EXPECT_EQ(forTerminal("\x1b[31mred\x1b[0m"), "[31mred[0m");
  EXPECT_EQ(forTerminal("a\rb\nc\td\be\x7f"), "abcde");
  EXPECT_EQ(forTerminal("\xc2\x9b"
                        "31m"),
            "31m")
      << "C1 controls act on terminals, too";
}

TEST(Escape, RemovesWhatTurnsTheDirectionOrCannotBeSeen) {
  EXPECT_EQ(forPlainText("abc\xe2\x80\xae"
                         "txt"),
            "abctxt")
      << "right-to-left override";
  EXPECT_EQ(forPlainText("ad\xe2\x80\x8bmin"), "admin") << "zero width space";
  EXPECT_EQ(forPlainText("\xef\xbb\xbfx"), "x") << "byte order mark";
  EXPECT_EQ(forPlainText("\xe2\x81\xa6x\xe2\x81\xa9"), "x") << "isolates";
  EXPECT_EQ(forPlainText("x\xf3\xa0\x81\x81y"), "xy") << "tag characters";
}

TEST(Escape, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(forPlainText("a\xff"
                         "b"),
            "a\uFFFD"
            "b");
  EXPECT_EQ(forPlainText("\xc0\xaf"), "\uFFFD\uFFFD") << "overlong slash";
  EXPECT_EQ(forPlainText("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD") << "surrogate";
  EXPECT_EQ(forPlainText("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "above U+10FFFF";
  EXPECT_EQ(forPlainText("x\xe2\x82"), "x\uFFFD\uFFFD") << "cut short";
}

TEST(Escape, TakesEmbeddedZeros) {
  EXPECT_EQ(forPlainText(std::string_view("a\0b", 3)), "ab");
}

TEST(EscapeForHtml, LeavesNoMarkup) {
  EXPECT_EQ(forHtml("<b a='1' c=\"2\">&amp;"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;amp;");
}

TEST(EscapeForShell, MakesOneWordOfAnyText) {
  EXPECT_EQ(forShell("net.ipv4.tcp_sack=0"), "net.ipv4.tcp_sack=0");
  EXPECT_EQ(forShell("4096 131072"), "'4096 131072'");
  EXPECT_EQ(forShell(""), "''");
  EXPECT_EQ(forShell("it's"), "'it'\\''s'");
  EXPECT_EQ(forShell("a;b"), "'a;b'");
  EXPECT_EQ(forShell("$(id)`id`\\"), "'$(id)`id`\\'");
  EXPECT_EQ(forShell("~"), "'~'");
  EXPECT_EQ(forShell("a\nb"), "ab") << "no line of its own";
}

TEST(EscapeForJson, EscapesQuotesAndBackslashes) {
  EXPECT_EQ(forJson("a\"b\\c\n"), "a\\\"b\\\\c");
}

TEST(EscapeForCsv, QuotesWhatASeparatorWouldSplit) {
  EXPECT_EQ(forCsv("a,b"), "\"a,b\"");
  EXPECT_EQ(forCsv("a;b"), "\"a;b\"");
  EXPECT_EQ(forCsv("say \"hi\""), "\"say \"\"hi\"\"\"");
}

TEST(EscapeForCsv, DisarmsFormulas) {
  for (const std::string formula : {"=1+1", "+1", "-1", "@SUM(A1)"}) EXPECT_EQ(forCsv(formula), "'" + formula);
  EXPECT_EQ(forCsv("=HYPERLINK(\"x\",\"y\")"), "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
  EXPECT_EQ(forCsv("\t=1"), "'=1") << "what is removed in front must not hide it";
}

TEST(EscapeForFileName, IsOneHarmlessComponent) {
  EXPECT_EQ(forFileName("../../etc/passwd"), "_._.._etc_passwd");
  EXPECT_EQ(forFileName(".hidden"), "_hidden");
  EXPECT_EQ(forFileName("-rf"), "_rf");
  EXPECT_EQ(forFileName("a b:c*d"), "a_b_c_d");
  EXPECT_EQ(forFileName(""), "_");
  EXPECT_EQ(forFileName("\n"), "_");
  EXPECT_EQ(forFileName("web-1.2_x"), "web-1.2_x");
  EXPECT_EQ(forFileName(std::string(500, 'a')).size(), 100U);
}

TEST(Escape, TakesUntrustedText) {
  const UntrustedText text("<x>\x1b");
  EXPECT_EQ(forHtml(text), "&lt;x&gt;");
  EXPECT_EQ(forPlainText(text), "<x>");
}

}  // namespace
}  // namespace tcpscope
