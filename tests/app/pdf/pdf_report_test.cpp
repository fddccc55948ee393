// The first pages of a report on paper: two for each connection, whatever is on them, then the appendix.
#include "app/pdf/pdf_report.h"

#include <gmock/gmock.h>

#include <array>

#include "core/present/html/pair_page.h"
#include "core/wire/loss/loss_summary.h"
#include "tests/support/json_schema.h"
#include "tests/support/report_example.h"

namespace tcpscope {
namespace {

/// Their texts.
std::vector<std::string> pagesOf(const std::string& pdf) {
  const test::TemporaryFile file(pdf);
  FILE* pipe = popen(("pdftotext -layout -enc UTF-8 " + file.path() + " - 2>&1").c_str(), "r");
  std::vector<std::string> pages(1);
  std::array<char, 4096> buffer{};
  while (const std::size_t size = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    for (std::size_t index = 0; index < size; ++index) {
      if (buffer.at(index) == '\f') {
        pages.emplace_back();
      } else {
        pages.back() += buffer.at(index);
      }
    }
  }
  EXPECT_EQ(pclose(pipe), 0) << pages.front();
  pages.pop_back();
  return pages;
}

/// Pages in front of the one that begins with the appendix.
std::size_t pagesBeforeAppendix(const std::string& pdf) {
  const std::vector<std::string> pages = pagesOf(pdf);
  for (std::size_t page = 0; page < pages.size(); ++page) {
    if (pages[page].find("Appendix") < pages[page].find('\n') + 1) return page;
  }
  ADD_FAILURE() << "no appendix in " << pages.size() << " pages";
  return pages.size();
}

std::shared_ptr<const LossSummary> someLosses() {
  auto losses = std::make_shared<LossSummary>();
  losses->lostPackets = 200;
  for (int interval = 0; interval < 199; ++interval) losses->intervalsRtt.push_back(0.001 * (1 << interval % 12));
  return losses;
}

ReportInput fullInput(const std::string& written) {
  ReportInput input = test::reportInput(written);
  auto detail = std::make_shared<ConnectionDetail>(*input.details.front());
  detail->losses = someLosses();
  const ChangeMark mark = detail->changeMarks.front();
  for (std::int64_t second = 18; second < 26; ++second) {
    detail->changeMarks.push_back(mark);
    detail->changeMarks.back().time = Moment::fromNanoseconds(second * 1'000'000'000);
  }
  input.details.front() = detail;
  input.cover.customer = input.cover.author = input.cover.ticket = UntrustedText(written);
  return input;
}

TEST(PdfReport, HasTwoPagesBeforeTheAppendix) {
  EXPECT_EQ(pagesBeforeAppendix(toPdf(pageOf(makeReport(test::reportInput("nginx"))))), kSummaryPages);
  EXPECT_EQ(pagesBeforeAppendix(toPdf(pageOf(makeReport(fullInput("a name of some words"))))), kSummaryPages)
      << "all plots, and as many changes as are shown";
  EXPECT_LE(pagesBeforeAppendix(toPdf(pageOf(test::reportPair("cubic")))), kSummaryPages);
}

TEST(PdfReport, IsTwoPagesWhereItIsBrief) {
  EXPECT_EQ(pagesOf(toPdf(pageOf(makeReport(fullInput("nginx")), ReportExtent::brief))).size(), kSummaryPages);
}

TEST(PdfReport, HasTwoPagesForEachOfSeveralConnections) {
  ReportInput input = fullInput("nginx");
  const auto first = input.details.front();
  for (std::uint64_t cookie = 2; cookie <= 3; ++cookie) {
    auto other = std::make_shared<ConnectionDetail>(*first);
    other->socket =
        test::ObservationBuilder().cookie(cookie).local("192.0.2.9", static_cast<std::uint16_t>(cookie)).build();
    input.details.push_back(other);
  }
  const std::size_t before = pagesBeforeAppendix(toPdf(pageOf(makeReport(input))));
  EXPECT_GE(before, 3U) << "each begins on a new page";
  EXPECT_LE(before, 3 * kSummaryPages);
}

TEST(PdfReport, WithoutAConnectionHasAnAppendixStill) {
  ReportInput input = test::reportInput("nginx");
  input.details.clear();
  EXPECT_EQ(pagesBeforeAppendix(toPdf(pageOf(makeReport(input)))), 1U);
}

TEST(PdfReport, NamesForWhomItIsBelowTheTitle) {
  const std::string first = pagesOf(toPdf(pageOf(makeReport(fullInput("Example Ltd"))))).front();
  const std::size_t customer = first.find("Example Ltd");
  EXPECT_LT(customer, first.find("imited by the receive window"));
  for (const char* name : {"Customer", "Author", "Ticket"}) EXPECT_THAT(first, testing::HasSubstr(name));
}

TEST(PdfReport, NoPageBeginsWithTheLastRowOfATable) {
  for (int rows = 40; rows < 60; ++rows) {
    ReportTable table{"Values", {"Variable", "Value"}, {}};
    for (int row = 1; row <= rows; ++row) table.rows.push_back({"variable " + std::to_string(row), "1"});
    ReportPage page;
    page.title = "Report";
    page.blocks.emplace_back(table);
    const std::vector<std::string> pages = pagesOf(toPdf(page));
    if (pages.size() > 1) {
      EXPECT_NE(pages.back().find("variable " + std::to_string(rows - 1)), std::string::npos) << rows << " rows";
    }
  }
}

}  // namespace
}  // namespace tcpscope
