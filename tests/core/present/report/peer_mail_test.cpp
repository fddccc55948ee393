#include "core/present/report/peer_mail.h"

#include <gmock/gmock.h>

#include "core/present/html/html_report.h"
#include "core/present/markdown/markdown_report.h"
#include "tests/support/hostile_strings.h"
#include "tests/support/report_example.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;

TEST(PeerMail, NamesTheConnectionTheResultAndWhatToChange) {
  const ReportModel report = makeReport(test::reportInput("nginx"));
  const auto mail = peerMail(report.connections.front(), report.clock);
  ASSERT_TRUE(mail);
  EXPECT_THAT(mail->subject, HasSubstr("192.0.2.1:50000 – 198.51.100.2:443"));
  std::string whole;
  for (const std::string& line : mail->lines) whole += line + '\n';
  EXPECT_THAT(whole, HasSubstr("imited by the receive window"));
  EXPECT_THAT(whole, HasSubstr("sysctl -w net.ipv4.tcp_rmem="));
}

TEST(PeerMail, IsAbsentWhereThePeerHasNothingToChange) {
  ReportModel report = makeReport(test::reportInput("nginx"));
  report.connections.front().advice.sending.reset();
  EXPECT_FALSE(peerMail(report.connections.front(), report.clock));
}

TEST(MailtoAddress, EncodesAllButLettersDigitsAndFourMarks) {
  EXPECT_EQ(mailtoAddress("a b–c", {"x=\"4 5\"&y", "Z-._~9"}),
            "mailto:?subject=a%20b%E2%80%93c&body=x%3D%224%205%22%26y%0D%0AZ-._~9%0D%0A");
}

TEST(MailtoAddress, NoTextAddsAHeaderOrARecipient) {
  for (const std::string& text : test::hostileStrings()) {
    const std::string address = mailtoAddress(text, {text});
    EXPECT_EQ(std::count(address.begin(), address.end(), '?'), 1) << address;
    EXPECT_EQ(std::count(address.begin(), address.end(), '&'), 1) << address;
    EXPECT_EQ(address.find_first_of("\"'<>() \r\n"), std::string::npos) << address;
  }
}

TEST(PeerMail, IsALinkInHtmlAndTextInATicket) {
  ReportPage page{"TCP report", "tcpscope 0.1.0", {ReportLines{"Message", {"a & b"}, "Subject"}}};
  EXPECT_THAT(toHtml(page), HasSubstr("<a href=\"mailto:?subject=Subject&amp;body=a%20%26%20b%0D%0A\">"));
  EXPECT_THAT(toMarkdown(page), testing::Not(HasSubstr("mailto:"))) << "its source is read, too";
}

}  // namespace
}  // namespace tcpscope
