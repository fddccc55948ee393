// Hostile texts, wherever others can write one, come out of every form of a report harmless.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "app/pdf/pdf_report.h"
#include "core/base/escape.h"
#include "core/present/html/html_report.h"
#include "core/present/html/pair_page.h"
#include "core/present/json/report_document.h"
#include "core/present/report/anonymous_report.h"
#include "tests/support/hostile_strings.h"
#include "tests/support/json_schema.h"
#include "tests/support/report_example.h"

namespace tcpscope {
namespace {

using test::harmIn;
using test::hostileStrings;

ReportModel reportOf(const std::string& written) {
  return makeReport(test::reportInput(written, test::kSparse));
}

/// Everything between < and >, attributes included; but for what follows from how long a text is: whether a mark in a
/// plot has room for its name, and whether a column is of short figures.
std::vector<std::string> tagsOf(const std::string& html) {
  std::vector<std::string> tags;
  for (std::size_t begin = html.find('<'); begin != std::string::npos; begin = html.find('<', begin + 1)) {
    std::string tag = html.substr(begin, html.find('>', begin) - begin + 1);
    if (tag.rfind("<text", 0) == 0 || tag == "</text>") continue;
    tags.push_back(tag == "<td class=\"short\">" ? "<td>" : std::move(tag));
  }
  return tags;
}

std::string textOfPdf(const std::string& pdf) {
  const test::TemporaryFile file(pdf);
  FILE* pipe = popen(("pdftotext -enc UTF-8 " + file.path() + " - 2>&1").c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), size);
  EXPECT_EQ(pclose(pipe), 0) << text.substr(0, 500);
  return text;
}

TEST(HostileStrings, AreTwoHundredAndMore) {
  std::vector<std::string> all = hostileStrings();
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "each is another one";
  EXPECT_GE(all.size(), 200U);
  RecordProperty("hostile_strings", static_cast<int>(all.size()));
  std::printf("%zu hostile strings\n", all.size());
}

TEST(HostileStrings, AddNoMarkupToHtml) {
  const std::vector<std::string> expected = tagsOf(toHtml(pageOf(reportOf("nginx"))));
  for (const std::string& text : hostileStrings()) {
    const std::string html = toHtml(pageOf(reportOf(text)));
    ASSERT_EQ(tagsOf(html), expected) << forPlainText(text);
    ASSERT_EQ(harmIn(html), "") << forPlainText(text);
  }
}

TEST(HostileStrings, AddNoMarkupToAComparison) {
  const std::vector<std::string> expected = tagsOf(toHtml(pageOf(test::reportPair("nginx", test::kSparse))));
  // The code that writes a report writes this page as well, and gets them within other text, too.
  for (const std::string& text : test::hostileStringsAlone()) {
    const ReportPair pair = test::reportPair(text, test::kSparse);
    const std::string html = toHtml(pageOf(pair));
    ASSERT_EQ(tagsOf(html), expected) << forPlainText(text);
    ASSERT_EQ(harmIn(html), "") << forPlainText(text);
    const std::string document = toJson(pair);
    ASSERT_TRUE(nlohmann::json::accept(document)) << forPlainText(text);
    ASSERT_EQ(harmIn(document), "") << forPlainText(text);
  }
}

TEST(HostileStrings, StayStringsInJson) {
  for (const std::string& text : hostileStrings()) {
    const std::string document = toJson(reportOf(text));
    const auto parsed = nlohmann::json::parse(document, nullptr, false);
    ASSERT_FALSE(parsed.is_discarded()) << forPlainText(text);
    ASSERT_EQ(harmIn(document), "") << forPlainText(text);
    EXPECT_EQ(parsed.at("connections").at(0).at("process").at("name"), forPlainText(text));
  }
}

TEST(HostileStrings, AreOnlyTextInPdf) {
  ReportInput input = test::reportInput("nginx");
  const CheckRow row = input.checkup->front();
  input.checkup->clear();
  for (const std::string& text : hostileStrings()) {
    CheckRow other = row;
    other.object = UntrustedText(text);
    other.names = {UntrustedText(text)};
    input.checkup->push_back(other);
  }
  const std::string pdf = toPdf(pageOf(makeReport(input)));
  for (const std::string_view forbidden : {"/JavaScript", "/JS", "/URI", "/OpenAction", "/Launch", "/AA"}) {
    EXPECT_EQ(pdf.find(std::string(forbidden) + " "), std::string::npos) << forbidden;
  }
  const std::string text = textOfPdf(pdf);
  EXPECT_EQ(harmIn(text), "");
  EXPECT_NE(text.find("<script>alert(1)</script>"), std::string::npos) << "what is harmless as text is shown";
}

TEST(HostileStrings, StayOneFieldInCsv) {
  for (const std::string& text : hostileStrings()) {
    const std::string field = forCsv(UntrustedText(text));
    ASSERT_EQ(harmIn(field), "") << forPlainText(text);
    ASSERT_EQ(field.find('\n'), std::string::npos);
    const bool isQuoted = !field.empty() && field.front() == '"';
    const std::string inner = isQuoted ? field.substr(1) : field;
    ASSERT_TRUE(inner.empty() || std::string_view("=+-@").find(inner.front()) == std::string_view::npos) << field;
    ASSERT_TRUE(isQuoted || field.find_first_of("\",;") == std::string::npos) << field;
  }
}

TEST(HostileStrings, AreGoneFromAnAnonymousReport) {
  const std::string html = toHtml(pageOf(anonymous(reportOf("secret-name"))));
  const std::string document = toJson(anonymous(reportOf("secret-name")));
  // Values of settings stay: they are what the report is about. Here they have the same text.
  EXPECT_EQ(document.find("198.51.100.2"), std::string::npos);
  EXPECT_EQ(html.find("198.51.100.2"), std::string::npos);
  EXPECT_NE(html.find("program-1"), std::string::npos);
  EXPECT_NE(html.find("host-1"), std::string::npos);
}

}  // namespace
}  // namespace tcpscope
