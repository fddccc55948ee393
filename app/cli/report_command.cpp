// `report`: looks as `diagnose` does, also at a capture, and writes what there is to say of it to one file for others.
#include <fmt/format.h>

#include <cerrno>

#include "app/cli/captured_look.h"
#include "app/cli/commands.h"
#include "app/cli/text_output.h"
#include "app/pdf/pdf_report.h"
#include "app/session/local_place.h"
#include "app/store/replaced_file.h"
#include "collectors/host/host_reading_reader.h"
#include "core/report/anonymous_report.h"
#include "core/report/html_report.h"
#include "core/report/report_document.h"
#include "core/text/escape.h"

namespace tcpscope {

namespace {

struct ReportForm {
  std::string_view ending;
  std::string (*write)(const ReportModel& report);
};

std::string htmlOf(const ReportModel& report) {
  return toHtml(pageOf(report));
}

std::string jsonOf(const ReportModel& report) {
  return toJson(report);
}

std::string pdfOf(const ReportModel& report) {
  return toPdf(pageOf(report));
}

constexpr std::array kReportForms = {ReportForm{".html", htmlOf}, ReportForm{".pdf", pdfOf},
                                     ReportForm{".json", jsonOf}};

const ReportForm* formOf(std::string_view file) {
  for (const ReportForm& form : kReportForms) {
    if (file.size() > form.ending.size() && file.ends_with(form.ending)) return &form;
  }
  return nullptr;
}

ExitCode tellUnwritable(const std::string& file, int error) {
  const std::string name = forTerminal(file);
  if (error == EISDIR) return fail(ExitCode::wrongUsage, fmt::format("'{}' is a directory; give a file in it", name));
  if (error == EEXIST) {
    return fail(ExitCode::wrongUsage, fmt::format("'{}' is no plain file, and stays as it is; give another one", name));
  }
  return fail(SystemError{SystemAttempt::writeReport, error, UntrustedText(file)});
}

Expected<ConnectionLook, ExitCode> lookForReport(const CommandOptions& options, const ConnectionFilter& filter) {
  if (options.from && !options.sshAddress()) {
    if (auto captured = lookAtCapture(filter, *options.from)) return std::move(*captured);
  }
  return lookAtConnections(options, filter, LookDepth::histories);
}

}  // namespace

ExitCode reportCommand(const CommandOptions& options) {
  const ReportForm* form = formOf(options.output);
  if (form == nullptr) {
    return fail(ExitCode::wrongUsage, fmt::format("'{}' does not say what to write; end it in .html, .pdf or .json",
                                                  forTerminal(options.output)));
  }
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  // Said before the watching, not after it.
  if (const auto may = mayReplaceFile(options.output); !may) return tellUnwritable(options.output, may.error());

  const bool isHere = !options.from && !options.networkNamespace;
  const auto before = isHere ? std::optional(readHost()) : std::nullopt;
  const auto look = lookForReport(options, *filter);
  if (!look) return look.error();
  if (look->details.empty() && filter->root()) {
    return fail(ExitCode::notThere, "no connection matches the filter; nothing was written");
  }
  ReportInput input{look->snapshot, look->details, look->time, TCPSCOPE_VERSION, options.goal};
  if (before) input.checkup = checkUp(*before, readHost());
  input.notLookedAt = look->leftOut;
  ReportModel report = makeReport(input);
  if (options.anonymise) report = anonymous(report);
  const std::string content = form->write(report);
  if (const auto written = replaceFile(options.output, content); !written) {
    return tellUnwritable(options.output, written.error());
  }
  TextBuffer out;
  fmt::format_to(std::back_inserter(out), "{}: {} connection{}, ", forTerminal(options.output),
                 report.connections.size(), report.connections.size() == 1 ? "" : "s");
  appendBytes(out, content.size());
  out.push_back('\n');
  return writeOut({out.data(), out.size()});
}

}  // namespace tcpscope
