// `report`: observes like `diagnose`, or reads a capture, and writes one report file; with `--compare`, two side by
// side.
#include <fmt/format.h>

#include <future>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/connection_watch.h"
#include "app/cli/path_option.h"
#include "app/cli/text_output.h"
#include "app/pdf/regular_file.h"
#include "app/pdf/report_form.h"
#include "app/pdf/report_logo.h"
#include "app/remote/ssh_checkup.h"
#include "app/session/background_queue.h"
#include "app/session/local_place.h"
#include "app/store/replaced_file.h"
#include "collectors/host/host_reading_reader.h"
#include "collectors/system/new_file.h"
#include "core/base/escape.h"
#include "core/host/path_checks.h"
#include "core/present/report/anonymous_report.h"
#include "core/present/text/report_text.h"

namespace tcpscope {

namespace {

ExitCode reportUnwritable(const std::string& file, int error) {
  return fail(SystemError{SystemAttempt::writeReport, error, UntrustedText(file)});
}

/// The texts and the logo.
Expected<ReportCover, ExitCode> coverFrom(const CommandOptions& options) {
  ReportCover cover;
  cover.customer = UntrustedText(options.customer);
  cover.author = UntrustedText(options.author);
  cover.ticket = UntrustedText(options.ticket);
  if (options.logo) {
    auto logo = readLogo(*options.logo);
    if (!logo) return Unexpected<ExitCode>(fail(ExitCode::badInput, sentence(logo.error(), *options.logo)));
    cover.logo = *std::move(logo);
  }
  return cover;
}

/// Size and hash of the file of `--from`, computed while it is analyzed.
class FileDescription {
public:
  explicit FileDescription(const CommandOptions& options) {
    if (!options.from || options.sshAddress()) return;
    m_background.emplace().post([this, path = *options.from](const std::stop_token& stop) {
      // What is no regular file has no hash; what cannot be read fails where it is analyzed.
      const auto file = describeFile(path, stop);
      m_result.set_value(file ? std::optional(*file) : std::nullopt);
    });
  }
  /// Waits until it is known; once.
  std::optional<ReportedFile> take() { return m_background ? m_result.get_future().get() : std::nullopt; }

private:
  std::promise<std::optional<ReportedFile>> m_result;
  // Last: its job uses the result.
  std::optional<BackgroundQueue> m_background;
};

/// Of the host behind ssh, with the path from there where asked for; nothing where it cannot be checked, which is said.
std::optional<std::vector<CheckRow>> checkupThere(const CommandOptions& options, std::string_view address) {
  CheckupOrder order{std::chrono::seconds(1)};
  if (options.path) order.path = *options.path;
  // A second prompt for the same host would be one too many.
  const auto host = parseSshAddress(address);
  if (!host) return std::nullopt;
  auto checkup = checkupIn(address, askForCheckup(*host, SshManner::alone, order));
  if (checkup) return std::move(checkup->rows);
  fmt::print(stderr, "tcpscope-cli: the report has no check-up: {}\n", forTerminal(checkup.error()));
  return std::nullopt;
}

/// Of what the options say to look at.
Expected<ReportModel, ExitCode> reportFrom(const CommandOptions& options, const ConnectionFilter& filter) {
  using Failure = Unexpected<ExitCode>;
  auto cover = coverFrom(options);
  if (!cover) return Failure(cover.error());
  FileDescription file(options);
  const bool isHere = !options.from && !options.networkNamespace;
  const auto address = options.sshAddress();
  const auto path = isHere ? readPath(options) : Expected<std::optional<PathReading>, ExitCode>();
  if (!path) return Failure(path.error());
  const auto before = isHere ? std::optional(readHost()) : std::nullopt;
  const auto watch = watchConnections(options, filter, WatchDepth::histories);
  if (!watch) return Failure(watch.error());
  if (watch->details.empty() && filter.root()) {
    return Failure(fail(ExitCode::notThere, "no connection matches the filter; nothing was written"));
  }
  ReportInput input{watch->snapshot, watch->details, watch->time, TCPSCOPE_VERSION, options.goal};
  if (before) input.checkup = checkUp(*before, readHost());
  if (input.checkup && *path) addPathChecks(*input.checkup, UntrustedText(*options.path), **path);
  if (address) input.checkup = checkupThere(options, *address);
  input.withoutDetail = watch->withoutDetails;
  input.madeAt = wallNow();
  input.recording = watch->recording;
  input.captureGaps = watch->captureGaps;
  input.cover = *std::move(cover);
  input.cover.file = file.take();
  return makeReport(input);
}

Expected<ReportPair, ExitCode> pairFrom(const CommandOptions& options, const ConnectionFilter& filter) {
  using Failure = Unexpected<ExitCode>;
  CommandOptions other = options;
  other.from = options.compared;
  other.networkNamespace.reset();
  // What cannot be opened is said before the watching.
  auto second = reportFrom(other, filter);
  if (!second) return Failure(second.error());
  auto first = reportFrom(options, filter);
  if (!first) return Failure(first.error());
  return pairOf(std::move(*first), std::move(*second));
}

struct WrittenReport {
  std::string content;
  std::string what;
};

Expected<WrittenReport, ExitCode> writtenReport(const ReportForm& form, const CommandOptions& options,
                                                const ConnectionFilter& filter) {
  using Failure = Unexpected<ExitCode>;
  const ReportExtent extent = options.isBrief ? ReportExtent::brief : ReportExtent::whole;
  if (options.compared) {
    const auto pair = pairFrom(options, filter);
    if (!pair) return Failure(pair.error());
    return WrittenReport{form.writePair(options.anonymize ? anonymous(*pair) : *pair, extent), "two side by side"};
  }
  const auto report = reportFrom(options, filter);
  if (!report) return Failure(report.error());
  const std::size_t count = report->connections.size();
  return WrittenReport{form.write(options.anonymize ? anonymous(*report) : *report, extent),
                       fmt::format("{} connection{}", count, count == 1 ? "" : "s")};
}

}  // namespace

ExitCode reportCommand(const CommandOptions& options) {
  const ReportForm* form = reportFormOf(options.output);
  if (form == nullptr) return fail(ExitCode::wrongUsage, noReportFormSentence(options.output));
  if (options.isBrief && !form->hasExtents) {
    return fail(ExitCode::wrongUsage, "--brief leaves out the appendix of a page; a .json report is always whole");
  }
  if (options.path && (options.from || options.networkNamespace)) {
    return fail(ExitCode::wrongUsage, "--path probes from this host, and not with --from or --netns");
  }
  const auto filter = parseFilter(options);
  if (!filter) return filter.error();
  // Said before the watching, not after it.
  if (const auto may = NewFile::mayCreate(options.output); !may) return reportUnwritable(options.output, may.error());
  const auto report = writtenReport(*form, options, *filter);
  if (!report) return report.error();
  if (const auto written = replaceFile(options.output, report->content); !written) {
    return reportUnwritable(options.output, written.error());
  }
  TextBuffer out;
  fmt::format_to(std::back_inserter(out), "{}: {}, ", forTerminal(options.output), report->what);
  appendBytes(out, report->content.size());
  out.push_back('\n');
  return writeOut({out.data(), out.size()});
}

}  // namespace tcpscope
