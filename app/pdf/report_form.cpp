#include "app/pdf/report_form.h"

#include <array>

#include "app/pdf/pdf_report.h"
#include "core/present/html/html_report.h"
#include "core/present/html/pair_page.h"
#include "core/present/json/report_document.h"

namespace tcpscope {

namespace {

template <class Report>
std::string htmlOf(const Report& report) {
  return toHtml(pageOf(report));
}

template <class Report>
std::string jsonOf(const Report& report) {
  return toJson(report);
}

template <class Report>
std::string pdfOf(const Report& report) {
  return toPdf(pageOf(report));
}

constexpr std::array kReportForms = {ReportForm{".html", htmlOf<ReportModel>, htmlOf<ReportPair>},
                                     ReportForm{".pdf", pdfOf<ReportModel>, pdfOf<ReportPair>},
                                     ReportForm{".json", jsonOf<ReportModel>, jsonOf<ReportPair>}};

}  // namespace

const ReportForm* reportFormOf(std::string_view file) {
  for (const ReportForm& form : kReportForms) {
    if (file.size() > form.ending.size() && file.ends_with(form.ending)) return &form;
  }
  return nullptr;
}

}  // namespace tcpscope
