#include "core/present/markdown/markdown_report.h"

#include <gmock/gmock.h>

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string markdownOf(ReportBlock block) {
  ReportPage page{"TCP report", "tcpscope 0.1.0", {}};
  page.blocks.push_back(std::move(block));
  return toMarkdown(page);
}

TEST(MarkdownReport, LaysOutEachKindOfBlock) {
  EXPECT_EQ(markdownOf(ReportHeading{3, "Losses"}), "# TCP report\n\n### Losses\n\nMade by tcpscope 0.1.0.\n");
  EXPECT_THAT(markdownOf(ReportVerdict{"Limited by the network.", "Confidence 90 %."}),
              HasSubstr("> **Limited by the network.**\n>\n> Confidence 90 %.\n"));
  EXPECT_THAT(markdownOf(ReportFacts{{{"Host", "db1"}, {"Time", "noon"}}}), HasSubstr("* Host: db1\n* Time: noon\n"));
  EXPECT_THAT(markdownOf(ReportTable{"Two", {"", "Value"}, {{"1", "5 ms"}}}),
              HasSubstr("Two\n\n| No. | Value |\n|---|---|\n| 1 | 5 ms |\n"));
}

TEST(MarkdownReport, ANameBecomesNoLinkNoImageNoHtmlAndNoCell) {
  const std::string text = markdownOf(ReportTable{"", {"Process"}, {{"![x](http://192.0.2.1/y)<img src=z>|a"}}});
  EXPECT_THAT(text, HasSubstr(R"(!\[x\](http://192.0.2.1/y)\<img src=z\>\|a)"));
}

TEST(MarkdownReport, ATextThatBeginsLikeAListStaysAParagraph) {
  EXPECT_THAT(markdownOf(ReportParagraph{"# 5 - 3"}), HasSubstr("\n\\# 5 - 3\n"));
  EXPECT_THAT(markdownOf(ReportParagraph{"- nothing"}), HasSubstr("\n\\- nothing\n"));
}

TEST(MarkdownReport, LinesToCopyStayAsTheyAreAndCannotEndTheirBlock) {
  const std::string text = markdownOf(ReportLines{"Run", {"sysctl net.ipv4.tcp_rmem", "echo ````"}});
  EXPECT_THAT(text, HasSubstr("\n`````\nsysctl net.ipv4.tcp_rmem\necho ````\n`````\n"));
  EXPECT_THAT(text, Not(HasSubstr("tcp\\_rmem")));
}

}  // namespace
}  // namespace tcpscope
