#include "app/pdf/report_logo.h"

#include <cairo.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "app/pdf/pdf_report.h"
#include "app/pdf/regular_file.h"
#include "core/present/html/html_report.h"
#include "core/present/report/anonymous_report.h"
#include "tests/support/json_schema.h"
#include "tests/support/report_example.h"

namespace tcpscope {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string pngOf(int width, int height) {
  cairo_surface_t* surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
  std::string png;
  const auto append = [](void* closure, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(closure)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  };
  cairo_surface_write_to_png_stream(surface, append, &png);
  cairo_surface_destroy(surface);
  return png;
}

LogoProblem problemOf(const std::string& bytes) {
  const auto logo = decodeLogo(bytes);
  EXPECT_FALSE(logo);
  return logo ? LogoProblem::unreadable : logo.error().problem;
}

TEST(ReportLogo, IsScaledToWhatAPageShows) {
  const auto small = decodeLogo(pngOf(64, 32));
  ASSERT_TRUE(small);
  EXPECT_EQ(small->width, 64U);
  EXPECT_EQ(small->height, 32U);
  const auto large = decodeLogo(pngOf(1280, 100));
  ASSERT_TRUE(large);
  EXPECT_EQ(large->width, 640U);
  EXPECT_EQ(large->height, 50U);
}

TEST(ReportLogo, TakesNothingOfTheFileButItsPixels) {
  const auto logo = decodeLogo(pngOf(8, 8) + "<script>alert(1)</script>");
  ASSERT_TRUE(logo);
  EXPECT_THAT(logo->png, Not(HasSubstr("script")));
}

TEST(ReportLogo, RefusesWhatIsNoPngOrNotWhole) {
  EXPECT_EQ(problemOf(""), LogoProblem::noPng);
  EXPECT_EQ(problemOf("\xff\xd8\xff\xe0JFIF and more, for which there is no decoder here"), LogoProblem::noPng);
  EXPECT_EQ(problemOf("<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>"), LogoProblem::noPng);
  const std::string whole = pngOf(40, 40);
  for (std::size_t size = 24; size + 12 < whole.size(); ++size) {
    EXPECT_EQ(problemOf(whole.substr(0, size)), LogoProblem::damaged) << size;
  }
}

TEST(ReportLogo, RefusesAHugeImageBeforeItDecodesIt) {
  std::string png = pngOf(8, 8);
  png.replace(16, 4, std::string("\x7f\xff\xff\xff", 4));
  EXPECT_EQ(problemOf(png), LogoProblem::tooManyPixels);
  png.replace(16, 4, std::string("\0\0\0\0", 4));
  EXPECT_EQ(problemOf(png), LogoProblem::damaged);
}

TEST(ReportLogo, ReservesNoMemoryForChunksThatOnlyClaimToBeLarge) {
  const std::string png = pngOf(8, 8);
  constexpr std::size_t kBehindHeader = 33;
  for (const std::string type : {"tEXt", "zTXt", "iCCP", "sPLT", "eXIf", "IDAT"}) {
    std::string claims = png;
    claims.insert(kBehindHeader, std::string(4, '\x77') + type + "some text");
    rusage before{};
    getrusage(RUSAGE_SELF, &before);
    EXPECT_EQ(problemOf(claims), LogoProblem::damaged) << type;
    rusage after{};
    getrusage(RUSAGE_SELF, &after);
    EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 64 * 1024) << type;
  }
}

TEST(ReportLogo, RefusesWhatIsTooLargeAndWhatIsNoFile) {
  const test::TemporaryFile large(pngOf(8, 8) + std::string(kMostLogoBytes, 'x'));
  EXPECT_EQ(readLogo(large.path()).error().problem, LogoProblem::tooLarge);
  EXPECT_EQ(readLogo("/nowhere/logo.png").error().errorNumber, ENOENT);
  EXPECT_EQ(readLogo("/dev/zero").error().errorNumber, ENOTSUP);
  const std::string fifo = large.path() + ".fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(readLogo(fifo).error().errorNumber, ENOTSUP);
  std::remove(fifo.c_str());
}

TEST(ReportLogo, HasASentenceForEachProblem) {
  std::set<std::string> all;
  for (const LogoProblem problem : {LogoProblem::unreadable, LogoProblem::tooLarge, LogoProblem::noPng,
                                    LogoProblem::tooManyPixels, LogoProblem::damaged}) {
    all.insert(sentence(LogoError{problem, ENOENT}, "a\x1b[31m.png"));
  }
  EXPECT_EQ(all.size(), 5U);
  for (const std::string& text : all) EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(ReportLogo, IsInHtmlAsDataAndOnTheFirstPageOfAPdf) {
  ReportInput input = test::reportInput("nginx");
  const std::string without = toPdf(pageOf(makeReport(input)));
  input.cover.logo = decodeLogo(pngOf(64, 32)).value();
  const std::string html = toHtml(pageOf(makeReport(input)));
  EXPECT_THAT(html, HasSubstr("src=\"data:image/png;base64,iVBORw0KGgo"));
  EXPECT_THAT(html, HasSubstr("img-src data:"));
  EXPECT_THAT(without, Not(HasSubstr("/Subtype /Image")));
  EXPECT_THAT(toPdf(pageOf(makeReport(input))), HasSubstr("/Subtype /Image"));
}

TEST(ReportedFile, HasTheHashOfItsBytes) {
  const test::TemporaryFile file("abc");
  const auto described = describeFile(file.path());
  ASSERT_TRUE(described);
  EXPECT_EQ(described->bytes, 3U);
  // FIPS 180-4, the example of one block.
  EXPECT_EQ(described->sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(describeFile("/nowhere").error(), ENOENT);
  EXPECT_EQ(describeFile("/").error(), ENOTSUP);
}

TEST(ReportedFile, LosesItsNameAndItsHashWhereNamesAreReplaced) {
  ReportInput input = test::reportInput("nginx");
  input.cover.file = ReportedFile{UntrustedText("customer.pcap"), 3, std::string(64, 'a')};
  const std::string named = toHtml(pageOf(makeReport(input)));
  EXPECT_THAT(named, HasSubstr("customer.pcap"));
  EXPECT_THAT(named, HasSubstr(std::string(64, 'a')));
  const std::string html = toHtml(pageOf(anonymous(makeReport(input))));
  EXPECT_THAT(html, Not(HasSubstr("customer.pcap")));
  EXPECT_THAT(html, Not(HasSubstr(std::string(64, 'a')))) << "it leads to the file";
}

}  // namespace
}  // namespace tcpscope
