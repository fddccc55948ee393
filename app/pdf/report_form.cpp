#include "app/pdf/report_form.h"

#include <array>

#include "app/pdf/pdf_report.h"
#include "core/present/html/html_report.h"
#include "core/present/html/pair_page.h"
#include "core/present/json/report_document.h"
#include "core/present/markdown/markdown_report.h"

namespace tcpscope {

namespace {

template <class Report>
std::string htmlOf(const Report& report, ReportExtent extent) {
  return toHtml(pageOf(report, extent));
}

template <class Report>
std::string jsonOf(const Report& report, ReportExtent /*extent*/) {
  return toJson(report);
}

template <class Report>
std::string markdownOf(const Report& report, ReportExtent extent) {
  return toMarkdown(pageOf(report, extent));
}

template <class Report>
std::string pdfOf(const Report& report, ReportExtent extent) {
  return toPdf(pageOf(report, extent));
}

constexpr std::array kReportForms = {ReportForm{".html", htmlOf<ReportModel>, htmlOf<ReportPair>},
                                     ReportForm{".pdf", pdfOf<ReportModel>, pdfOf<ReportPair>},
                                     ReportForm{".md", markdownOf<ReportModel>, markdownOf<ReportPair>},
                                     ReportForm{".json", jsonOf<ReportModel>, jsonOf<ReportPair>, false}};

}  // namespace

const ReportForm* reportFormOf(std::string_view file) {
  for (const ReportForm& form : kReportForms) {
    if (file.size() > form.ending.size() && file.ends_with(form.ending)) return &form;
  }
  return nullptr;
}

}  // namespace tcpscope
