#include "app/desktop/report_writer.h"

#include <algorithm>
#include <condition_variable>
#include <filesystem>
#include <mutex>

#include "app/changes/transport/command_route.h"
#include "app/desktop/background_work.h"
#include "app/pdf/regular_file.h"
#include "app/pdf/report_form.h"
#include "app/pdf/report_logo.h"
#include "app/session/local_place.h"
#include "app/store/replaced_file.h"
#include "collectors/host/host_reading_reader.h"
#include "collectors/system/new_file.h"
#include "core/base/escape.h"
#include "core/present/report/anonymous_report.h"
#include "core/present/text/error_text.h"
#include "core/present/text/report_text.h"

namespace tcpscope {

namespace {

/// Between the two readings of a check-up: what grows shows by then.
constexpr std::chrono::seconds kBetweenReadings{1};

std::optional<std::vector<CheckRow>> checkUpHere(const std::stop_token& stop) {
  const HostReading first = readHost();
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, stop, kBetweenReadings, [] { return false; });
  if (stop.stop_requested()) return std::nullopt;
  return checkUp(first, readHost());
}

std::string unwritten(const std::string& path, int error) {
  return sentence(SystemError{SystemAttempt::writeReport, error, UntrustedText(path)});
}

ReportState failed(ReportState state, std::string notice) {
  state.phase = ReportPhase::failed;
  state.notice = std::move(notice);
  state.path.clear();
  return state;
}

/// All of it live, and here.
bool isAboutThisHost(const ReportSources& sources, const ReportRequest& request) {
  const auto isHere = [&](const std::shared_ptr<const ConnectionDetail>& detail) {
    const auto& places = request.snapshot->places;
    const auto place =
        std::find_if(places.begin(), places.end(), [&](const Place& one) { return one.id == detail->row.id.place; });
    return place != places.end() && place->recording.empty() && sources.isOwnPlace(*place);
  };
  return !request.details.empty() && std::all_of(request.details.begin(), request.details.end(), isHere);
}

/// All of it from the file of that name.
bool isAboutFile(const std::filesystem::path& file, const ReportRequest& request) {
  const auto isFrom = [&](const Place& place) { return place.recording == UntrustedText(file.filename().string()); };
  return !request.snapshot->places.empty() && std::ranges::all_of(request.snapshot->places, isFrom);
}

/// What only the GUI thread knows of it.
struct ReportSubject {
  std::optional<std::filesystem::path> shownFile;
  /// Of the host behind ssh that all of it is about; empty for none.
  std::string address;
};

ReportState writeReport(const ReportSources& sources, const ReportRequest& request, const ReportSubject& subject,
                        ReportState state, const std::stop_token& stop) {
  const ReportForm* form = reportFormOf(request.path);
  if (form == nullptr) return failed(state, noReportFormSentence(request.path));
  if (const auto may = NewFile::mayCreate(request.path); !may)
    return failed(state, unwritten(request.path, may.error()));
  const SessionSnapshot& snapshot = *request.snapshot;
  ReportInput input{request.snapshot, request.details, snapshot.clock.wallAt(snapshot.time), TCPSCOPE_VERSION, {}};
  input.madeAt = wallNow();
  const ReportLetterhead& letterhead = request.letterhead;
  input.cover = {letterhead.customer, letterhead.author, letterhead.ticket, {}, {}};
  if (!letterhead.logo.empty()) {
    auto logo = readLogo(letterhead.logo);
    if (!logo) return failed(state, sentence(logo.error(), letterhead.logo));
    input.cover.logo = *std::move(logo);
  }
  if (subject.shownFile && isAboutFile(*subject.shownFile, request)) {
    // What is no regular file has no hash.
    if (auto file = describeFile(*subject.shownFile, stop)) input.cover.file = *std::move(file);
  }
  if (isAboutThisHost(sources, request)) input.checkup = sources.checkUp(stop);
  if (!subject.address.empty()) {
    auto checked = sources.checkRemoteHost(subject.address, {kBetweenReadings}, stop);
    if (checked) {
      input.checkup = std::move(checked->rows);
    } else {
      state.notice = "Without a check-up of the host: " + checked.error();
    }
  }
  if (stop.stop_requested()) return state;
  const ReportModel report = makeReport(input);
  const bool isBrief = request.isBrief && form->hasExtents;
  const std::string content = form->write(request.isAnonymous ? anonymous(report) : report,
                                          isBrief ? ReportExtent::brief : ReportExtent::whole);
  if (const auto written = replaceFile(request.path, content); !written) {
    return failed(state, unwritten(request.path, written.error()));
  }
  state.phase = ReportPhase::written;
  state.bytes = content.size();
  return state;
}

}  // namespace

ReportSources ReportSources::ofThisHost(std::function<std::optional<std::filesystem::path>()> shownFile,
                                        std::function<std::optional<RemoteHost>(PlaceId)> remoteHost) {
  return {checkUpHere, [](const Place& place) { return tcpscope::isOwnPlace(place); }, std::move(shownFile),
          std::move(remoteHost), tcpscope::checkRemoteHost};
}

std::string ReportWriter::addressOf(const ReportRequest& request) const {
  if (!m_sources.remoteHost || request.details.empty()) return {};
  const PlaceId place = request.details.front()->row.id.place;
  const bool isOfOne =
      std::ranges::all_of(request.details, [&](const auto& detail) { return detail->row.id.place == place; });
  const auto host = isOfOne ? m_sources.remoteHost(place) : std::nullopt;
  return host && host->isConnected ? host->address : std::string();
}

void ReportWriter::write(ReportRequest request) {
  if (m_writing.empty()) m_reported = {};
  ReportState begun;
  begun.phase = ReportPhase::writing;
  begun.path = request.path;
  begun.name = forPlainText(UntrustedText(std::filesystem::path(request.path).filename().string()));
  ReportSubject subject{m_sources.shownFile(), addressOf(request)};
  auto work = [this, request = std::move(request), subject = std::move(subject), begun](const std::stop_token& stop) {
    return writeReport(m_sources, request, subject, begun, stop);
  };
  auto outcome = postTo(m_background, std::move(work));
  m_writing.push_back({std::move(begun), std::move(outcome)});
}

void ReportWriter::forget() {
  m_reported = {};
}

ReportState ReportWriter::state() {
  while (m_reported.phase != ReportPhase::failed && !m_writing.empty() && isThere(m_writing.front().outcome)) {
    m_reported = m_writing.front().outcome.get();
    m_writing.pop_front();
  }
  const bool isReported = m_reported.phase == ReportPhase::failed || m_writing.empty();
  return isReported ? m_reported : m_writing.back().begun;
}

}  // namespace tcpscope
